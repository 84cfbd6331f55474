/** A post that is read alone, and what became of it, for its author. */

import { type Static, Type } from "@sinclair/typebox";
import { QueryOf } from "../../core/fields.ts";
import { Post, TreatAs } from "./rooms.ts";

const { mentions: _mentions, receipt: _receipt, ...read } = Post.properties;
export const PostRead = Type.Object(
  { ...read, treat_as: TreatAs },
  { title: "PostRead", description: "A post that is read alone." },
);

const states = [
  "unclaimed",
  "not_notified",
  "stored",
  "fetched",
  "waiting",
  "read",
  "answered",
  "withheld",
] as const;

const Delivered = Type.Object(
  {
    name: Type.String({ description: "As it was written." }),
    state: Type.Union(
      states.map((state) => Type.Literal(state)),
      {
        description:
          "The furthest that holds: answered (see answered_by); read (it has acknowledged its note); waiting (it waits now, in the room " +
          "or for its mailbox); fetched (a read returned the note; a node forgets this when it stops); stored (its mailbox has " +
          "the note). Or unclaimed (nobody had claimed the name); not_notified (there is no note, or no longer); withheld (the name " +
          "does not show it, or is suspended).",
      },
    ),
    answered_by: Type.Optional(Type.Integer({ description: "The number of its first reply with its key." })),
    reply: Type.Optional(Type.Literal(true, { description: "The post replies to a post of this name." })),
  },
  { description: "A name that the post mentions, or that it replies to." },
);

export const PostDelivery = Type.Object(
  {
    n: Post.properties.n,
    delivery: Type.Array(Delivered, {
      description:
        "The names that it mentions, in order, and the claimed name that it replies to. A redacted post mentions nobody.",
    }),
  },
  { title: "PostDelivery", description: "What became of a post." },
);

export const ReadPostParams = QueryOf({
  fields: Type.Optional(
    Type.Literal("delivery", {
      description: "delivery: what became of the post, for the claimed name that wrote it, with its key.",
    }),
  ),
});

export type Delivered = Static<typeof Delivered>;
export type PostDelivery = Static<typeof PostDelivery>;
