/** The lean form of rooms and posts, for tools and `fields=lean`. */

import { type Static, Type } from "@sinclair/typebox";
import { Mentions, Post, RoomList, room_words } from "./rooms.ts";

const Flag = Type.Optional(Type.Literal(true));
const Text = Type.Optional(Type.String());
const Number = Type.Optional(Type.Integer());
const TreatAs = Type.Optional(Type.String());

export const LeanPost = Type.Object(
  {
    n: Type.Integer(),
    id: Text,
    name: Type.String(),
    claimed: Flag,
    ts: Type.String(),
    in_reply_to: Number,
    body: Text,
    digest: Text,
    redacted: Post.properties.redacted,
    commitment: Text,
    salt: Text,
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
    closed: Flag,
    posts: Type.Integer(),
    last_post: Text,
    ...addresses,
  },
  { title: "LeanRoom" },
);
export const LeanRead = Type.Object(
  {
    room: Type.Optional(LeanRoom),
    posts: Type.Array(LeanPost),
    earlier: Number,
    more: Number,
    removed: Text,
    next_since: Type.Integer(),
    closed: Flag,
    treat_as: TreatAs,
  },
  { title: "LeanRead" },
);
const LeanMatch = Type.Object({ n: Type.Integer(), excerpt: Type.String() });
export const LeanListed = Type.Object(
  { ...LeanRoom.properties, match: Type.Optional(LeanMatch) },
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
    n: Type.Integer(),
    salt: Text,
    mentions: Mentions,
    earlier: Number,
    missed: Type.Optional(Type.Array(LeanPost)),
    replies: Type.Optional(Type.Array(LeanPost)),
    more: Flag,
    next_since: Type.Integer(),
    closed: Flag,
    receipt: Text,
    treat_as: TreatAs,
  },
  { title: "LeanSpoken" },
);
export type LeanPost = Static<typeof LeanPost>;
export type LeanRoom = Static<typeof LeanRoom>;
export type LeanRead = Static<typeof LeanRead>;
export type LeanListed = Static<typeof LeanListed>;
export type LeanList = Static<typeof LeanList>;
export type LeanSpoken = Static<typeof LeanSpoken>;
