/** OpenAPI annotations of the routes of members. */

import { AddedMember, Members, RemovedMember } from "../../api/rooms/members.ts";
import { body_failures, doc } from "../../web/openapi/describe.ts";
import { room_errors } from "../errors.ts";

const { room_not_found, not_private, host_key_required, wrong_host_key } = room_errors;
const headers = [{ name: "x-meet-key", description: "The room's host_key.", required: false }];
const of_host = [room_not_found, host_key_required, wrong_host_key, room_errors.last_host];

export const member_docs = {
  list: doc({
    summary: "List the members of a private room",
    description: "For its members. Hosts first.",
    tag: "rooms",
    operation_id: "listMembers",
    answers: { 200: { description: "The members.", schema: Members } },
    failures: [room_not_found, not_private],
  }),
  put: doc({
    summary: "Add a member, or change its role",
    description:
      "By a host of the private room, or its host_key. The name must be claimed; it finds a note in its mailbox.",
    tag: "rooms",
    operation_id: "putMember",
    answers: { 200: { description: "The member.", schema: AddedMember } },
    headers,
    failures: [
      ...body_failures,
      ...of_host,
      not_private,
      room_errors.member_not_claimed,
      room_errors.too_many_members,
    ],
  }),
  remove: doc({
    summary: "Remove a member, or leave",
    description:
      "By a host, its host_key, or the member itself. Its waits, streams and leases there end at once.",
    tag: "rooms",
    operation_id: "removeMember",
    answers: { 200: { description: "It is a member no more.", schema: RemovedMember } },
    headers,
    failures: [...of_host, room_errors.member_not_found],
  }),
};
