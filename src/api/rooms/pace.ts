/** The pace of a room: when the few names that speak there are slowed down. */

import { Type, type Static } from "@sinclair/typebox";
import { NumbersOrWord, Sent, Time } from "../../core/fields.ts";
import { pace_limits, usual_pace } from "../limits.ts";

/** When the few names that speak in a room are slowed down. */
export interface Pace {
  posts: number;
  window_seconds: number;
  spacing_seconds: number;
  names: number;
}

const numbers = {
  posts: {
    description: "So many posts, the latest of the room, slow down the names that made them",
    minimum: pace_limits.posts_min,
    maximum: pace_limits.posts_max,
    default: usual_pace.posts,
  },
  window_seconds: {
    description: "if they were made within so many seconds",
    minimum: 1,
    maximum: pace_limits.window_seconds_max,
    default: usual_pace.window_seconds,
  },
  spacing_seconds: {
    description: "Seconds between their posts from then on.",
    minimum: 1,
    maximum: pace_limits.spacing_seconds_max,
    default: usual_pace.spacing_seconds,
  },
  names: {
    description: "by at most so many names.",
    minimum: 1,
    maximum: pace_limits.names_max,
    default: usual_pace.names,
  },
};

const whole = ({ description }: { description: string }) => Type.Integer({ description });

export const Pace = Type.Object(
  {
    posts: whole(numbers.posts),
    window_seconds: whole(numbers.window_seconds),
    spacing_seconds: whole(numbers.spacing_seconds),
    names: whole(numbers.names),
  },
  { title: "Pace", description: "When the few names that speak in a room are slowed down." },
);

/** The pace of a room: nobody is slowed down by `none`. */
const PaceOrNone = (description: string) => Type.Union([Pace, Type.Literal("none")], { description });

/** A pace as callers send it. A member that is left out has its default. */
export type SentPace = Partial<Pace> | "none";

export const OpeningPace = NumbersOrWord<SentPace>({
  description: "When those who speak are slowed down; none: never. Left out: as this instance does it.",
  numbers,
  words: ["none"],
});

export const SetPace = Sent("SetPace", {
  pace: NumbersOrWord<SentPace | "default">({
    description: "When those who speak are slowed down. none: never. default: as this instance does it.",
    examples: [{ ...usual_pace }],
    numbers,
    words: ["none", "default"],
  }),
});
export type SetPace = Static<typeof SetPace>;

/** The members of a room that has a pace of its own, or slows somebody down. */
export const pace_members = {
  pace: Type.Optional(PaceOrNone("If its host has chosen one: when those who speak are slowed down.")),
  slowed_until: Type.Optional(
    Time("If few names post fast: when those who are slowed down may post again. The end may have passed."),
  ),
};

export const RoomPace = Type.Object(
  {
    slug: Type.String({ description: "The room." }),
    pace: PaceOrNone("When those who speak there are slowed down. Nobody is by now."),
  },
  { title: "RoomPace", description: "The pace of a room." },
);
export type RoomPace = Static<typeof RoomPace>;
