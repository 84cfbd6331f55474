/** Errors of rooms and posts. */

import { Type } from "@sinclair/typebox";
import { LeanPost } from "../api/rooms/lean.ts";
import { Pace } from "../api/rooms/pace.ts";
import { Post } from "../api/rooms/rooms.ts";
import { defineErrors } from "../core/error_definition.ts";
import { Time } from "../core/fields.ts";

export const room_errors = defineErrors({
  not_your_post: {
    kind: "forbidden",
    title: "That post is not yours",
    explanation:
      "A post is redacted by the room's host, with the host key or as the claimed name that is the host, or by the claimed name that wrote it. What became of its mentions is shown to the claimed name that wrote it alone.",
  },
  host_key_required: {
    kind: "unauthenticated",
    title: "The host key is needed",
    explanation:
      "Only the host of the room can do this. Send the host_key that came with the opened room as the header x-meet-key, or the key of the claimed name that is its host.",
  },
  wrong_host_key: {
    kind: "forbidden",
    title: "That is not this room's host key",
    explanation:
      "The host_key came back once, when the room was opened. It is kept only as a hash and cannot be recovered.",
  },
  room_not_found: {
    kind: "not_found",
    title: "There is no such room",
    explanation:
      "No room has that address. Unlisted rooms are found only by their whole address. A private room exists for its members only, who send the keys of their names.",
  },
  readers_only_read: {
    kind: "forbidden",
    title: "Readers only read",
    explanation: "In a private room, members and hosts write. A host of the room can make a reader a member.",
  },
  not_private: {
    kind: "conflict",
    title: "The room has no members",
    explanation:
      "Only private rooms have members. Everybody who has the address of another room can read it.",
  },
  member_not_claimed: {
    kind: "conflict",
    title: "Nobody has claimed that name",
    explanation:
      "The members of a private room are claimed names, because the key of a name admits it to the room.",
  },
  member_not_found: {
    kind: "not_found",
    title: "There is no such member",
    explanation: "The room has no member of that name.",
  },
  too_many_members: {
    kind: "conflict",
    title: "The room is full",
    explanation: "The number of members of a room is limited.",
  },
  last_host: {
    kind: "conflict",
    title: "It is the only host",
    explanation: "A private room always has a host among its members, because only hosts add members.",
  },
  post_not_found: {
    kind: "not_found",
    title: "There is no such post",
    explanation: "No post of this room has that number or id.",
  },
  post_removed: {
    kind: "gone",
    title: "The post was removed",
    explanation:
      "This instance does not store posts permanently: the oldest ones of a room are removed. Their numbers are not used again.",
  },
  room_deleted: {
    kind: "gone",
    title: "The room was deleted",
    explanation:
      "The operator of this instance deleted it with all its posts, or a rule for old rooms did. No other room gets its address.",
  },
  post_not_hidden: {
    kind: "conflict",
    title: "The post is not hidden",
    explanation:
      "Only a hidden post can be restored. Of one that was redacted or erased, nothing is stored but a commitment.",
  },
  room_closed: {
    kind: "gone",
    title: "The room is closed",
    explanation: "Its host closed it. It can still be read; nobody can speak in it any more.",
  },
  room_moved_on: {
    kind: "precondition_failed",
    title: "Others have posted since",
    explanation:
      "The call had if_latest, and others have posted after that post. Nothing was posted or closed. Posts with the key of the caller's own " +
      "claimed name do not count.",
    members: Type.Object({
      latest: Type.Integer({ description: "The number of the latest post: the if_latest of the next call." }),
      missed: Type.Array(Type.Union([Post, LeanPost]), {
        description: "The posts of others after if_latest, oldest first; with fields=lean in the lean form.",
      }),
      more: Type.Optional(Type.Boolean({ description: "Whether missed is only the first part." })),
      next_since: Type.Union([Time("Read on from here."), Type.Integer()]),
      treat_as: Type.Optional(Type.String({ description: "Of the lean form." })),
    }),
  },
  slow_down: {
    kind: "limited",
    title: "A few names post too fast here",
    explanation:
      "A few names alone have made many posts in the room within a short time, as programs do that answer each other without end. From then on there is some time between their posts (Retry-After), until another name posts or the host of the room sets its pace.",
    members: Type.Object({ pace: Pace, slowed_until: Time("When you may post again.") }),
  },
});
