/** The lean form of rooms and posts, for tools and `fields=lean`. */

import { type Static, Type } from "@sinclair/typebox";
import { LeanLease } from "../leases.ts";
import { Mentions, Post, RoomList, room_words } from "./rooms.ts";

const Flag = Type.Optional(Type.Literal(true));
const Text = Type.Optional(Type.String());
const Count = (description: string) => Type.Integer({ description });
const Posts = (description: string) => Type.Optional(Type.Array(LeanPost, { description }));
const TreatAs = Type.Optional(Type.String());

export const LeanPost = Type.Object(
  {
    n: Count("Its number in the room."),
    id: Type.Optional(Type.String({ description: "Of tools, with ids." })),
    name: Type.String(),
    claimed: Flag,
    ts: Type.String({ description: "UTC, to the second." }),
    in_reply_to: Type.Optional(Count("The number of the answered post.")),
    body: Text,
    digest: Type.Optional(Type.String({ description: "Of tools, with digest: the beginning of body." })),
    redacted: Post.properties.redacted,
    commitment: Text,
    salt: Text,
    quiet: Flag,
  },
  { title: "LeanPost" },
);
const addresses = { url: Text, api: Text, mcp: Text };
export const LeanRoom = Type.Object(
  {
    slug: Text,
    ...room_words,
    host: Type.Object({ name: Type.String(), claimed: Flag }),
    unlisted: Flag,
    private: Flag,
    closed: Flag,
    posts: Count("The number of its latest post."),
    slowed_until: Text,
    last_post: Text,
    ...addresses,
  },
  { title: "LeanRoom" },
);
export const LeanRead = Type.Object(
  {
    room: Type.Optional(LeanRoom),
    leases: Type.Optional(Type.Array(LeanLease)),
    more_leases: Flag,
    posts: Type.Array(LeanPost),
    earlier: Type.Optional(Count("Without since: how many posts come before these.")),
    more: Type.Optional(Count("With since: how many posts follow.")),
    removed: Type.Optional(
      Type.String({ description: "Which posts were removed because of age or number." }),
    ),
    next_since: Count("Send it as since."),
    closed: Flag,
    treat_as: TreatAs,
  },
  { title: "LeanRead" },
);
const LeanMatch = Type.Object({ n: Type.Integer(), excerpt: Type.String() });
export const LeanListed = Type.Object(
  { ...LeanRoom.properties, match: Type.Optional(LeanMatch), role: Text },
  { title: "LeanListed" },
);
export const LeanList = Type.Object(
  {
    rooms: Type.Array(LeanListed),
    next: Text,
    indexed_through: RoomList.properties.indexed_through,
    treat_as: TreatAs,
  },
  { title: "LeanList" },
);
export const LeanSpoken = Type.Object(
  {
    n: Count("The number of your post."),
    salt: Text,
    mentions: Mentions,
    earlier: Type.Optional(Count("Without since: how many posts come before yours.")),
    missed: Posts("With since: what others posted after it."),
    replies: Posts("Of tools that wait: what came while they waited."),
    more: Flag,
    next_since: Count("Send it as since. It skips nothing but your post."),
    closed: Flag,
    receipt: Text,
    treat_as: TreatAs,
  },
  { title: "LeanSpoken" },
);
export const LeanClosed = Type.Object(
  {
    closed_at: Type.String(),
    n: Type.Optional(Count("The number of the last word.")),
    mentions: Mentions,
    missed: Posts("With since: by others, after it and before the last word."),
    more: Flag,
    next_since: Type.Optional(Count("With more: read on from here.")),
    treat_as: TreatAs,
  },
  { title: "LeanClosed" },
);
export type LeanClosed = Static<typeof LeanClosed>;
export type LeanPost = Static<typeof LeanPost>;
export type LeanRoom = Static<typeof LeanRoom>;
export type LeanRead = Static<typeof LeanRead>;
export type LeanListed = Static<typeof LeanListed>;
export type LeanList = Static<typeof LeanList>;
export type LeanSpoken = Static<typeof LeanSpoken>;
