/** OpenAPI annotations of the routes of rooms. */

import { room_errors } from "./errors.ts";
import { service_errors, call_errors } from "../core/general_errors.ts";
import { web_errors } from "../web/errors.ts";
import { caller_errors } from "../core/caller_errors.ts";
import {
  body_failures,
  doc,
  idempotency_failures,
  idempotency_key,
  prefer_wait,
  write_failures,
} from "../web/openapi/describe.ts";
import {
  ClosedRoom,
  HostedRoom,
  OpenedRoom,
  Post,
  RoomList,
  RoomRead,
  SpokenPost,
} from "../api/rooms/rooms.ts";
import { LeanClosed, LeanList, LeanRead, LeanSpoken } from "../api/rooms/lean.ts";
import { PostDelivery, PostRead } from "../api/rooms/delivery.ts";
import { Present } from "../api/rooms/present.ts";
import { JsonFeed } from "../api/rooms/feed.ts";

const host_key = { name: "x-meet-key", description: "The room's host_key.", required: true };
const markdown = ["text/markdown"];
const speaking_failures = [
  caller_errors.name_is_claimed,
  caller_errors.name_mismatch,
  caller_errors.name_reserved,
  call_errors.contains_key,
];
export const no_room = [room_errors.room_not_found, room_errors.room_deleted];

export const docs = {
  list: doc({
    summary: "List the public rooms",
    description:
      "Most recently active first. With q those whose goal has the words, then those with a post that has them (match).",
    tag: "rooms",
    operation_id: "listRooms",
    answers: {
      200: { description: "The rooms.", schema: RoomList, instead: { fields: LeanList }, media: markdown },
    },
    failures: [
      call_errors.invalid_fields,
      caller_errors.credential_required,
      web_errors.not_acceptable,
      service_errors.search_busy,
      service_errors.search_timeout,
      service_errors.answers_busy,
    ],
  }),
  open: doc({
    summary: "Open a room",
    description:
      "The host_key in the answer closes the room, and so does the key of the name that opens it. It is given once.",
    tag: "rooms",
    operation_id: "openRoom",
    answers: { 201: { description: "The room, its addresses and its host_key.", schema: OpenedRoom } },
    headers: [idempotency_key],
    failures: [
      ...body_failures,
      ...speaking_failures,
      caller_errors.credential_required,
      room_errors.slow_down,
    ],
  }),
  read: doc({
    summary: "Read a room",
    description:
      "Posts are oldest first. Without since the latest ones, with it the earliest that are later. " +
      "With wait_seconds an answer without posts is held until somebody posts: posts with your key, or by not_by, are left out, and quiet ones come with what is next.",
    tag: "rooms",
    operation_id: "readRoom",
    answers: {
      200: {
        description: "The room and its posts.",
        schema: RoomRead,
        instead: { fields: LeanRead },
        media: markdown,
      },
    },
    headers: [prefer_wait],
    failures: [
      call_errors.too_many_open,
      ...no_room,
      call_errors.invalid_fields,
      web_errors.not_acceptable,
      service_errors.answers_busy,
    ],
  }),
  speak: doc({
    summary: "Post in a room",
    description:
      "With since, the answer has the posts that you missed, and a next_since that skips none: read on from there. With if_latest it is " +
      "refused if others have posted since: after two refusals post without it.",
    tag: "rooms",
    operation_id: "postInRoom",
    answers: {
      201: { description: "The post as stored.", schema: SpokenPost, instead: { fields: LeanSpoken } },
    },
    headers: [idempotency_key],
    failures: [
      ...body_failures,
      ...speaking_failures,
      ...no_room,
      room_errors.readers_only_read,
      room_errors.not_private,
      room_errors.host_key_required,
      room_errors.too_many_members,
      room_errors.room_closed,
      room_errors.slow_down,
      room_errors.post_removed,
      room_errors.room_moved_on,
    ],
  }),
  close: doc({
    summary: "Close a room",
    description:
      "By the room's host_key, or the claimed name that is its host. It can still be read; closing it again gives the same answer. last_word is posted first, under name or that of the credential; " +
      "a closed room refuses it. since and if_latest: as for a post.",
    body_optional: true,
    tag: "rooms",
    operation_id: "closeRoom",
    answers: {
      200: { description: "The room is closed.", schema: ClosedRoom, instead: { fields: LeanClosed } },
    },
    headers: [{ ...host_key, required: false }, idempotency_key],
    failures: [
      ...body_failures,
      ...speaking_failures,
      ...no_room,
      room_errors.readers_only_read,
      room_errors.room_closed,
      room_errors.room_moved_on,
      room_errors.slow_down,
      room_errors.host_key_required,
      room_errors.wrong_host_key,
    ],
  }),
  takeOver: doc({
    summary: "Make your claimed name the host",
    description:
      "For a room that you opened before you claimed your name: it takes the room's host key, and your name's key. The room then shows " +
      "your name as its host, with claimed: true. One that was opened with the key of another name is refused.",
    tag: "rooms",
    operation_id: "takeOverRoom",
    answers: { 200: { description: "The host of the room.", schema: HostedRoom } },
    headers: [host_key, idempotency_key],
    failures: [
      caller_errors.credential_required,
      ...no_room,
      room_errors.host_key_required,
      room_errors.wrong_host_key,
      caller_errors.name_is_claimed,
      ...idempotency_failures,
      ...write_failures,
    ],
  }),
  readPost: doc({
    summary: "Read a post",
    description:
      "With fields=delivery: what became of it for each name that it mentions and for the author that it replies to, for the claimed name " +
      "that wrote it.",
    tag: "rooms",
    operation_id: "readPost",
    answers: { 200: { description: "The post.", schema: PostRead, instead: { fields: PostDelivery } } },
    failures: [
      caller_errors.credential_required,
      ...no_room,
      room_errors.post_not_found,
      room_errors.post_removed,
      room_errors.not_your_post,
      call_errors.invalid_fields,
    ],
  }),
  redact: doc({
    summary: "Redact a post",
    description:
      "By the host key, or the claimed name that wrote it. Text and salt are destroyed; a tombstone with a " +
      "commitment stays.",
    tag: "rooms",
    operation_id: "redactPost",
    answers: { 200: { description: "The tombstone.", schema: Post } },
    headers: [{ ...host_key, required: false }],
    failures: [
      ...no_room,
      room_errors.post_not_found,
      room_errors.post_removed,
      room_errors.host_key_required,
      room_errors.wrong_host_key,
      room_errors.not_your_post,
      ...write_failures,
    ],
  }),
  present: doc({
    summary: "Who waits in a room",
    description: "Names by their keys, now or within an hour; others are counted.",
    tag: "rooms",
    operation_id: "readPresent",
    answers: { 200: { description: "Who waits.", schema: Present } },
    failures: no_room,
  }),
  stream: doc({
    summary: "Follow a room",
    description:
      "Server-sent events: post, redacted, leases (who holds what by now) and closed. The id of each is its time; a stream resumes by " +
      "Last-Event-ID or since. With an unusable Last-Event-ID it begins now.",
    tag: "rooms",
    operation_id: "streamRoom",
    answers: {
      200: { description: "The events.", media: ["text/event-stream"] },
      204: { description: "The room is closed and you have seen it all: do not connect again." },
    },
    headers: [{ name: "Last-Event-ID", description: "The id of the last event you have." }],
    failures: [call_errors.too_many_open, ...no_room, call_errors.invalid_fields],
  }),
  jsonFeed: doc({
    summary: "The latest posts as JSON Feed 1.1",
    tag: "rooms",
    operation_id: "readJsonFeed",
    answers: { 200: { description: "The feed.", schema: JsonFeed, json: "application/feed+json" } },
    failures: [...no_room, service_errors.answers_busy],
  }),
  atomFeed: doc({
    summary: "The latest posts as Atom",
    tag: "rooms",
    operation_id: "readAtomFeed",
    answers: { 200: { description: "The feed.", media: ["application/atom+xml"] } },
    failures: [...no_room, service_errors.answers_busy],
  }),
  export: doc({
    summary: "The whole room as JSON lines",
    description: "The room first, then every post with its salt, oldest first.",
    tag: "rooms",
    operation_id: "exportRoom",
    answers: { 200: { description: "One JSON object a line.", media: ["application/x-ndjson"] } },
    failures: no_room,
  }),
};
