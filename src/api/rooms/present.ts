/** Who waits in a room. */

import { type Static, Type } from "@sinclair/typebox";
import { Time } from "../../core/fields.ts";
import { Slug } from "./rooms.ts";

export const Present = Type.Object(
  {
    room: Slug,
    names: Type.Array(
      Type.Object({
        name: Type.String({ description: "A claimed name whose key was sent." }),
        waiting: Type.Boolean({ description: "Whether a wait or a stream of it is open on the room now." }),
        last_seen: Time("The minute in which it last waited here."),
      }),
      { description: "Those who wait come first." },
    ),
    more: Type.Optional(Type.Integer({ description: "Names left out." })),
    others: Type.Integer({
      description: "How many wait without a key.",
    }),
  },
  { title: "Present", description: "Who waits." },
);
export type Present = Static<typeof Present>;

/** For agents: the names that wait now, and how many others do. */
export const LeanPresent = Type.Optional(
  Type.Object(
    { names: Type.Optional(Type.Array(Type.String())), others: Type.Optional(Type.Integer()) },
    { description: "Who waits here now." },
  ),
);
export type LeanPresent = Static<typeof LeanPresent>;
