/** The routes of rooms: /api/meet/rooms and below. Each reads the request, calls an operation and writes the answer. */

import type { Static } from "@sinclair/typebox";
import { ReadPostParams } from "../api/rooms/delivery.ts";
import { speakersHaveNames } from "../core/policy.ts";
import type { IdempotentCall } from "../core/storage.ts";
import { countOf } from "../core/fields.ts";
import {
  formAt,
  sendChunks,
  sendJson,
  sendTagged,
  taggedJson,
  taggedMarkdown,
  type Tagged,
} from "../web/responses.ts";
import { bodyOf, readOptionalJson } from "../web/body.ts";
import type { Http } from "../web/context.ts";
import type { RequestContext } from "../web/request_context.ts";
import { waitSecondsOf } from "../web/long_waits.ts";
import { undocumented } from "../web/openapi/describe.ts";
import { docs } from "./openapi.ts";
import type { Conversation } from "./conversation.ts";
import * as receipt_source from "./receipt.ts";
import { atomFeed, exportLines, jsonFeed } from "./feeds.ts";
import {
  leanClosed,
  leanRead,
  leanSpoken,
  openedAt,
  roomAddresses,
  roomAt,
  type RoomPage,
  roomReadAt,
} from "./representations.ts";
import { inOtherForm, type MovedOn } from "./missed.ts";
import { listAnswer } from "./list_pages.ts";
import { sendLongJson, sendLongMarkdown } from "./long_answers.ts";
import { pageBytesMax } from "./long_pages.ts";
import { roomMarkdownPieces } from "./markdown.ts";
import {
  CloseParams,
  ListParams,
  PostParams,
  ReadParams,
  SpeakParams,
  StreamParams,
} from "../api/rooms/params.ts";
import type { ReadQuery } from "./queries.ts";
import type { Receipts } from "../receipts/receipts.ts";
import type { Rooms } from "./rooms.ts";
import { CloseRoom, OpenRoom, SpeakPost, treat_as, type Post } from "../api/rooms/rooms.ts";
import { bodyForRoom, indexing, of_room } from "./route_options.ts";
import { roomTopic } from "./slug.ts";
import { ifAdmitted, roomEvents } from "./stream.ts";
import { room_limits } from "../api/limits.ts";
import { room_internal_limits } from "./limits.ts";

type ReadContext = RequestContext & { params: { room: string }; query: ReadParams };
type PostContext = RequestContext & {
  params: Static<typeof PostParams>;
  query: Static<typeof ReadPostParams>;
};
type SpeakContext = RequestContext & { params: { room: string }; query: SpeakParams; body: SpeakPost };

const leanMembers = ({ lean }: MovedOn) => ({ members: lean });

interface RoomsHttpDeps {
  rooms: Rooms;
  conversation: Conversation;
  receipts: Receipts;
}

export function roomsHttp({ rooms, conversation, receipts }: RoomsHttpDeps, http: Http) {
  const { access, resolvers, cache, direct, repeated, memory, streams, idempotency } = http;
  const names_only = speakersHaveNames(http.policy);

  async function readAnswer({ request, base, caller, params, query: sent }: ReadContext): Promise<Response> {
    const { name, form } = formAt(request, params.room, ["json", "markdown"]);
    const room = await rooms.admit(caller, name);
    const { since, limit, not_by, fields } = sent;
    const proof = sent.proof === "1";
    const before =
      sent.before === undefined || since !== undefined
        ? undefined
        : await rooms.firstNotBefore(room, sent.before);
    const query: ReadQuery = { room, since, before, limit: countOf(limit), proof };
    const wait_seconds = waitSecondsOf(request, sent.wait_seconds);
    const onward = since !== undefined;
    const markdown = { onward, names_only };
    const answerOf = (page: RoomPage) => (fields ? leanRead(page, onward) : roomReadAt(base, page));
    const link = `<${roomAddresses(base, room).url}>; rel="alternate"; type="text/html"`;
    const headersOf = (page: RoomPage) => ({ link, ...indexing(page.room) });
    const render = (page: RoomPage): Tagged =>
      form === "markdown"
        ? taggedMarkdown([...roomMarkdownPieces(base, page, markdown)].join(""), headersOf(page))
        : taggedJson(answerOf(page), headersOf(page));
    const waiting = { wait_seconds, reader: caller };
    const isOwn = rooms.ownPosts(wait_seconds > 0 ? caller.identity : null, not_by);
    if (isOwn) {
      const short = { ...query, chars_max: room_internal_limits.whole_page_bytes_max };
      const reserve = (bytes: number) => memory.reserve(request, bytes);
      const page = await http.open.wait(request, caller, async (open) =>
        rooms.readReserved(short, { ...waiting, open, isOwn }, reserve),
      );
      return sendTagged(request, render(page));
    }
    if (wait_seconds > 0) {
      await http.open.wait(request, caller, (open) => rooms.wait(query, { ...waiting, open }));
    }
    const key = [base, form, room, since, before, limit, proof, fields].join("\n");
    // An answer that is waited for comes later the next time.
    const send = (answer: Tagged) =>
      wait_seconds > 0 ? sendTagged(request, answer) : repeated.send(request, base, key, answer);
    const known = cache.known(key);
    if (known) return send(known);
    const long = await rooms.whileAdmitted(caller, room, rooms.readLong(query, caller));
    if (typeof long === "object") {
      return form === "markdown"
        ? sendLongMarkdown(request, base, long, markdown, headersOf(long.page))
        : sendLongJson(request, long, answerOf, headersOf(long.page));
    }
    await memory.reserve(request, long);
    const making = cache.get(roomTopic(room), key, async () => render(await rooms.read(query)));
    return send(await rooms.whileAdmitted(caller, room, making));
  }

  async function speakAnswer({ request, caller, params, query, body }: SpeakContext): Promise<Response> {
    const said = { ...body, room: params.room };
    const once = <Result>(act: (call: IdempotentCall | undefined) => Promise<Result>) =>
      idempotency.run(request, caller, [caller.identity?.canonical, body], act);
    // Sign only on request: a signature costs more than the rest of a post.
    const receiptOf = (post: Post) =>
      query.receipt === "1" ? { receipt: receipts.issue(receipt_source.spoken(post)) } : undefined;
    // Most posts come without `since`, so the path for them reads and makes nothing else.
    if (body.since === undefined && !query.fields) {
      const post = await once((call) => rooms.speak(caller, said, call));
      return sendJson(query.receipt === "1" ? { ...post, ...receiptOf(post) } : post, 201, caller);
    }
    const speaking = once((call) => conversation.speak(caller, said, { call }));
    const spoken = await (query.fields ? inOtherForm(speaking, body.if_latest, leanMembers) : speaking);
    const { post, missed, more, next_since } = spoken;
    if (query.fields) return sendJson(leanSpoken(spoken, receiptOf(post)?.receipt), 201, caller);
    return sendJson({ ...post, ...receiptOf(post), missed, more, next_since }, 201, caller);
  }

  async function postAnswer({ request, base, caller, params, query }: PostContext): Promise<Response> {
    const { id } = params;
    const room = await rooms.admit(caller, params.room);
    if (query.fields) return sendJson(await rooms.deliveryOf(caller, room, id), 200, caller);
    const key = [base, "post", room, id].join("\n");
    const read = async () => {
      const found = await rooms.postIn(room, id);
      return taggedJson({ ...found.post, treat_as }, indexing(found.room));
    };
    return repeated.send(request, base, key, await cache.get(roomTopic(room), key, read));
  }

  const list = listAnswer(rooms, http);
  const speak_path = "/api/meet/rooms/:room/posts";
  const speak_body = bodyForRoom(SpeakPost);
  return access
    .get("/api/meet/rooms", list, { needs: "reader", query: ListParams, ...docs.list })
    .get("/api/meet/rooms.md", list, { needs: "reader", query: ListParams, ...undocumented })
    .post(
      "/api/meet/rooms",
      async ({ request, caller, base, body }) => {
        const opened = await idempotency.run(request, caller, [caller.identity?.canonical, body], (call) =>
          rooms.open(caller, body, { call }),
        );
        const receipt = receipts.issue(receipt_source.opened(opened.room));
        const answer = { ...openedAt(base, opened.room, opened.host_key), receipt };
        return sendJson(answer, 201, caller, { location: answer.api });
      },
      { needs: "reader", ...bodyOf(OpenRoom), ...docs.open },
    )
    .get("/api/meet/rooms/:room", readAnswer, {
      needs: "reader",
      ...of_room,
      query: ReadParams,
      ...docs.read,
    })
    .post(speak_path, direct.post(speak_path, resolvers.reader, speak_body.transform, speakAnswer), {
      needs: "reader",
      ...of_room,
      query: SpeakParams,
      ...speak_body,
      ...docs.speak,
    })
    .post(
      "/api/meet/rooms/:room/close",
      async ({ request, caller, params: { room }, query, body }) => {
        const host_key = request.headers.get("x-meet-key");
        const is_plain = body.last_word === undefined && body.if_latest === undefined;
        const sent = is_plain ? host_key : [host_key, caller.identity?.canonical, body];
        const closing = idempotency.run(request, caller, sent, (call) =>
          conversation.close(caller, { ...body, room, host_key }, call),
        );
        const { closed, next_n } = await (query.fields
          ? inOtherForm(closing, body.if_latest, leanMembers)
          : closing);
        return sendJson(query.fields ? leanClosed(closed, next_n) : closed, 200, caller);
      },
      {
        needs: "reader",
        ...of_room,
        query: CloseParams,
        ...bodyForRoom(CloseRoom, readOptionalJson),
        ...docs.close,
      },
    )
    .post(
      "/api/meet/rooms/:room/host",
      async ({ request, caller, params: { room } }) => {
        const host_key = request.headers.get("x-meet-key");
        const sent = [host_key, caller.identity?.canonical];
        const taken = await idempotency.run(request, caller, sent, (call) =>
          rooms.takeOver(caller, room, host_key, call),
        );
        return sendJson(taken, 200, caller);
      },
      { needs: "named", ...of_room, parse: "none", ...docs.takeOver },
    )
    .get("/api/meet/rooms/:room/posts/:id", postAnswer, {
      needs: "reader",
      ...of_room,
      params: PostParams,
      query: ReadPostParams,
      ...docs.readPost,
    })
    .delete(
      "/api/meet/rooms/:room/posts/:id",
      async ({ request, caller, params }) => {
        const key = request.headers.get("x-meet-key");
        return sendJson(await rooms.redact(caller, params.room, params.id, key), 200, caller);
      },
      { needs: "reader", ...of_room, params: PostParams, parse: "none", ...docs.redact },
    )
    .get(
      "/api/meet/rooms/:room/present",
      async ({ caller, params }) =>
        sendJson(await rooms.present(await rooms.admit(caller, params.room)), 200, caller),
      { needs: "reader", ...of_room, ...docs.present },
    )
    .get(
      "/api/meet/rooms/:room/stream",
      async ({ request, caller, params, query }) => {
        const room = await rooms.admit(caller, params.room);
        const entry = await rooms.followFrom(room, query.since, request.headers.get("last-event-id"));
        // 204 stops clients that would reconnect to a stream without further events (HTML Standard, section 9.2.2).
        if (entry.over) return new Response(null, { status: 204 });
        const call = http.open.stream(request, caller);
        const stream = streams.open(roomEvents(rooms, room), entry, call);
        // A removal before the stream was open has not ended it.
        return ifAdmitted(rooms.admit(caller, room), call, stream);
      },
      { needs: "reader", ...of_room, query: StreamParams, ...docs.stream },
    )
    .get(
      "/api/meet/rooms/:room/feed.json",
      ({ request, base, caller, params }) => feedAnswer({ request, base, caller }, params.room, jsonFeed),
      { needs: "reader", ...of_room, ...docs.jsonFeed },
    )
    .get(
      "/api/meet/rooms/:room/feed.atom",
      ({ request, base, caller, params }) => feedAnswer({ request, base, caller }, params.room, atomFeed),
      { needs: "reader", ...of_room, ...docs.atomFeed },
    )
    .get(
      "/api/meet/rooms/:room/export.jsonl",
      async ({ base, caller, params }) => {
        const admitted = await rooms.admit(caller, params.room);
        const { room } = await rooms.read({ room: admitted, limit: 1 });
        return sendChunks(
          exportLines(roomAt(base, room), rooms.posts(admitted, caller, { proof: true })),
          "application/x-ndjson",
          indexing(room),
        );
      },
      { needs: "reader", ...of_room, ...docs.export },
    );

  async function feedAnswer(
    { request, base, caller }: Pick<RequestContext, "request" | "base" | "caller">,
    slug: string,
    render: typeof jsonFeed | typeof atomFeed,
  ): Promise<Response> {
    const room = await rooms.admit(caller, slug);
    const key = [base, render.name, room].join("\n");
    const known = cache.known(key);
    if (known) return repeated.send(request, base, key, known);
    await memory.reserve(request, pageBytesMax(room_limits.feed_posts));
    const making = cache.get(roomTopic(room), key, async () =>
      render(base, await rooms.read({ room, limit: room_limits.feed_posts })),
    );
    return repeated.send(request, base, key, await rooms.whileAdmitted(caller, room, making));
  }
}
