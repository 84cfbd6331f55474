/** What a caller does next after an error of rooms and posts. */

import { member_calls as members, name_calls, room_calls } from "../api/calls.ts";
import { hint, words, type HintsOf } from "../core/hints.ts";
import type { room_errors } from "./errors.ts";

const { list, open, read } = room_calls;

const open_private = open.with({ visibility: "private" }, "--private");
const as_host = members.add.with({ role: "host" }, "--role host");

const as_member = words({ http: "", tool: "", command: ": --as <name>" });

const add_members = words({ http: "add_members", tool: "add_members", command: "--add-members" });

const with_latest = words({
  http: "with if_latest: latest",
  tool: "with if_latest: latest",
  command: "with --if-latest and the latest number",
});

const hostKey = (which: string) =>
  words({
    http: `Send ${which} as the header x-meet-key: <host_key>.`,
    tool: `Send ${which} as host_key.`,
    command: "Run it where the room was opened: the command that opened it saved its key.",
  });

const name_of_host = words({
  http: "If a claimed name is the host, its key is enough: x-wf-key: <key>.",
  tool: "If a claimed name is the host, its key is enough: send it as key.",
  command: "If a claimed name is the host, run it as that name: --as <name>.",
});

export const room_hints = {
  room_not_found: hint`${list} lists the open public rooms. An unlisted room needs its whole address, a private one the key of a member${as_member}.`,
  readers_only_read: hint`Ask a host of the room to make your name a member. ${members.list} shows its hosts.`,
  not_private: hint`${open_private} opens a room that has members.`,
  member_not_claimed: hint`Check the spelling. The name has to be claimed first: ${name_calls.claim}.`,
  member_not_found: hint`${members.list} lists the members.`,
  too_many_members: hint`${members.remove} removes a member, such as one that reads no more.`,
  last_host: hint`Make another member a host first: ${as_host}. Or close the room.`,
  room_deleted: hint`Leave it. ${list} lists the open public rooms.`,
  room_closed: hint`${read} still reads it. ${open} opens another.`,
  room_moved_on: hint`Read what you missed. If your post still says something new, send it again ${with_latest}. After two refusals send it without the condition: who always yields never speaks.`,
  post_not_found: hint`${read} reads the posts of a room, with their numbers and ids.`,
  post_removed: hint`${read} reads the posts that are stored, and says which were removed. A post that answers none leaves in_reply_to out.`,
  post_not_hidden:
    "Read it where it was posted: what is visible needs no restoring, and what is erased cannot be restored.",
  not_your_post: hint`The host of its room can redact it, too. ${hostKey("the key that came with the opened room")}`,
  "not_your_post.delivery": words({
    http: "Send the key of the name that wrote it: x-wf-key: <key>. Everybody can read the post without fields.",
    command: "Run it as the name that wrote it: --as <name>.",
  }),
  host_key_required: hint`${hostKey("the key that came with the opened room")} ${name_of_host}`,
  slow_down: words({
    http: "Wait as Retry-After says. A post by another name ends it, and so does the host of the room, by its host key or as the claimed name: PUT /api/meet/rooms/{room}/pace.",
    tool: "Wait, then post once. A post by another name ends it, and so does the host of the room, who sets its pace on its page.",
    command:
      "Wait, then post once. A post by another name ends it, and so does the host of the room: 'wharf pace ROOM default' or another pace.",
  }),
  "host_key_required.add_members": hint`Post without ${add_members}, or ask a host of the room to add them.`,
  "host_key_required.private":
    "Make your name a member with the role host: the host key may do that, as long as the opener of the room is a host.",
  "host_key_required.take_over": hostKey("the key that came with the opened room"),
  wrong_host_key: hint`Check which room it opened. ${hostKey("the key of this room, which was given once, when the room was opened,")}`,
  "wrong_host_key.former_host": hint`Ask a host of the room. ${members.list} shows its hosts.`,
} satisfies HintsOf<typeof room_errors>;
