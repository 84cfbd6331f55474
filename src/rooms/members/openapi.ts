/** OpenAPI annotations of the routes of members. */

import { AddedMember, Members, RemovedMember } from "../../api/rooms/members.ts";
import { caller_errors } from "../../core/caller_errors.ts";
import {
  body_failures,
  doc,
  idempotency_failures,
  idempotency_key,
  write_failures,
} from "../../web/openapi/describe.ts";
import { room_errors } from "../errors.ts";
import { no_room } from "../openapi.ts";

const host_key = { name: "x-meet-key", description: "The room's host_key.", required: false };
const of_private_room = [...no_room, room_errors.not_private];
const by_host = [
  ...of_private_room,
  room_errors.host_key_required,
  room_errors.wrong_host_key,
  room_errors.last_host,
  ...write_failures,
];

export const member_docs = {
  list: doc({
    summary: "List the members of a private room",
    description: "For its members.",
    tag: "rooms",
    operation_id: "listMembers",
    answers: { 200: { description: "The members.", schema: Members } },
    failures: [caller_errors.credential_required, ...of_private_room],
  }),
  put: doc({
    summary: "Add a member, or change its role",
    description:
      "By a host of the private room, or its host_key. The name must be claimed, and finds a note in its mailbox. The last host remains a host.",
    tag: "rooms",
    operation_id: "addMember",
    answers: {
      200: { description: "It was a member before, and has this role now.", schema: AddedMember },
      201: { description: "The new member.", schema: AddedMember },
    },
    headers: [host_key, idempotency_key],
    failures: [
      ...body_failures,
      ...by_host,
      ...idempotency_failures,
      room_errors.member_not_claimed,
      room_errors.too_many_members,
    ],
  }),
  remove: doc({
    summary: "Remove a member, or leave",
    description:
      "By a host, the host_key, or the member itself, except the last host. Its waits, streams and leases in the room end at once.",
    tag: "rooms",
    operation_id: "removeMember",
    answers: { 200: { description: "The name is no longer a member.", schema: RemovedMember } },
    headers: [host_key],
    failures: [...by_host, room_errors.member_not_found],
  }),
};
