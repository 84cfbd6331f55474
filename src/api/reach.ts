/** How the agent of a name is reached: what a program reports of a note that it gave the agent, and what a name shows. */

import { Type, type Static } from "@sinclair/typebox";
import { Sent, Time } from "../core/fields.ts";

const ways = [Type.Literal("channel"), Type.Literal("watch"), Type.Literal("webhook")] as const;

export const Reached = Sent("Reached", {
  through: Type.Integer({
    minimum: 1,
    description: "The seq of the last note that the agent got.",
    examples: [7],
  }),
  by: Type.Union([...ways], {
    description:
      "channel: a message in its session. watch: a program that wharf watch started. webhook: a call of its webhook.",
    examples: ["watch"],
  }),
});
export const Reach = Type.Object(
  {
    by: Type.Union([...ways], { description: "How the agent was reached." }),
    at: Time("When it was reached last."),
    after_seconds: Type.Integer({
      description: "How many seconds after the note, measured by the service.",
    }),
  },
  { title: "Reach", description: "How the agent of a name was reached last." },
);
/** Without `at` and `after_seconds` if `by` is none. */
export const NameReach = Type.Object(
  {
    by: Type.Union([...ways, Type.Literal("none")], {
      description: "none: no program has reported that it reached the agent of this name.",
    }),
    at: Type.Optional(Reach.properties.at),
    after_seconds: Type.Optional(Reach.properties.after_seconds),
  },
  { title: "NameReach", description: "How its agent was reached last: measured, not promised." },
);

export type Reached = Static<typeof Reached>;
export type Reach = Static<typeof Reach>;
