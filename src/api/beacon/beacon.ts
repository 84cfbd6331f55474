/** Request and response schemas of the beacon. */

import { Type, type Static } from "@sinclair/typebox";
import { CountParam, FieldsParam, Nullable, QueryOf, Text, Time, WaitParam } from "../../core/fields.ts";
import { beacon_limits } from "../limits.ts";

const items = (description: string) =>
  Type.Optional(Text({ description, minLength: 1, maxLength: beacon_limits.beacon_items_chars_max }));

export const RoundQuery = QueryOf({
  label: Type.Optional(
    Text({
      description: "A text of your own: each label is another draw of the same round.",
      maxLength: beacon_limits.beacon_label_chars_max,
    }),
  ),
  int: Type.Optional(
    Text({ description: "Draw a whole number: 1..6 is one of 1 to 6.", minLength: 1, maxLength: 40 }),
  ),
  pick: items("Draw n of these items, with commas between."),
  n: Type.Optional(
    CountParam({ description: "How many to pick (1).", minimum: 1, maximum: beacon_limits.beacon_items_max }),
  ),
  shuffle: items("Put these items, with commas between, in a drawn order."),
  fields: FieldsParam,
  proof: Type.Optional(Type.String({ description: "1: a lean answer with the proof." })),
  wait_seconds: WaitParam("Hold an answer without a seed until the round has ended, for this long at most."),
});

const { int, pick, n, shuffle, fields, proof: lean_proof, wait_seconds } = RoundQuery.properties;
const side = (name: string) =>
  Type.Optional(
    Text({ description: `What ${name} means.`, maxLength: beacon_limits.beacon_label_chars_max }),
  );
/** A toss: as its line, or as the parts of one that is proposed. */
export const TossQuery = QueryOf({
  toss: Type.Optional(
    Text({
      description: "The line of a toss as it was posted: it says all of it.",
      minLength: 1,
      maxLength: beacon_limits.beacon_toss_chars_max,
    }),
  ),
  round: Type.Optional(
    Type.String({ description: "The round of a proposal, in place of one that leaves time to agree." }),
  ),
  label: Type.Optional(
    Text({ description: "What it is about.", maxLength: beacon_limits.beacon_label_chars_max }),
  ),
  heads: side("heads"),
  tails: side("tails"),
  int,
  pick,
  n,
  shuffle,
  fields,
  proof: lean_proof,
  wait_seconds,
});

const Hash = (description: string) => Type.String({ description, minLength: 64, maxLength: 64 });
const Day = (description: string) => Type.String({ description, examples: ["2026-03-01"] });
const round = Type.Integer({ description: "The round's number." });
const starts = Time("When the round begins.");
const commit = Hash("SHA-256, in hex, of the 64 characters of the seed.");
const value = {
  hex: Hash("SHA-256, in hex, of <seed>:<label>."),
  float: Type.Number({ description: "The first 13 hex digits, divided by 2^52." }),
  coin: Type.Union([Type.Literal("heads"), Type.Literal("tails")], {
    description: "heads when the first byte is odd.",
  }),
};
const precommitted = Type.Boolean({
  description:
    "Whether the root was published before its day began. It was not for the first day of a beacon.",
});
/** Present with `precommitted: false`. */
const why_not_precommitted = Type.Optional(Type.String({ description: "Why precommitted is false." }));
const toss = Type.Optional(Type.String({ description: "The toss in one line, to send as toss." }));
const agree_before = Type.Optional(
  Time("When the round of a toss begins: it is fair only if all agreed on it before."),
);
const means = Type.Optional(Type.String({ description: "What that side of the coin means." }));
const Clocks = Type.Union([Type.Literal("ok"), Type.Literal("held")], {
  description: "held: the service's clocks disagree, so nothing new comes out.",
});
/** Members of every response. */
const always = {
  round_seconds: Type.Integer({ description: "How long a round lasts." }),
  test_mode: Type.Optional(Type.String({ description: "Only where rounds do not last 60 seconds." })),
  caveat: Type.String({ description: "What the beacon is not for." }),
};

export const BeaconOverview = Type.Object(
  {
    now: Type.Object({ round, starts, ends: Time("When it ends.") }, { description: "The round that runs." }),
    last_revealed: Nullable(
      Type.Object(
        {
          round,
          seed: Hash("The round's seed."),
          commit,
          value: Type.Object(value, { description: "The value of the seed with an empty label." }),
        },
        { description: "The latest round with a seed; null before the first ends." },
      ),
    ),
    upcoming_commitments: Type.Array(Type.Object({ round, starts, commit }), {
      description: "The next rounds.",
    }),
    days: Type.Object(
      {
        first: Day("The first day."),
        last: Day("The last day."),
        not_issued: Type.Optional(
          Type.Array(Type.Object({ first: Day("From this day."), last: Day("To this day.") }), {
            description: "Days in between that the original of this copy may have published.",
          }),
        ),
      },
      { description: "The first and the last day whose commitments are published." },
    ),
    clock: Clocks,
    how: Type.Array(Type.String(), { description: "How to use and how to check the beacon, in words." }),
    one_round: Type.String({ description: "The path of one round." }),
    ...always,
  },
  { title: "BeaconOverview", description: "The beacon now." },
);

const Step = Type.Object({
  i: Type.Integer({ description: "The counter." }),
  sha256: Hash("SHA-256, in hex, of <value.hex>,<i>."),
  of: Type.Integer({ description: "How many outcomes there were." }),
  taken: Nullable(Type.Integer({ description: "The hash modulo of; null: skipped, to favour no outcome." })),
});
const steps = Type.Array(Step, { description: "The hashes that were used, in their order." });
const DrawnNumber = Type.Object(
  {
    kind: Type.Literal("int", { description: "A whole number." }),
    from: Type.Integer({ description: "The smallest number that could be drawn." }),
    to: Type.Integer({ description: "The largest." }),
    result: Type.Integer({ description: "The number." }),
    steps,
  },
  { title: "DrawnNumber", description: "A whole number, drawn with int." },
);
const DrawnItems = Type.Object(
  {
    kind: Type.Union([Type.Literal("pick"), Type.Literal("shuffle")], {
      description: "pick: n of the items. shuffle: all of them.",
    }),
    items: Type.Array(Type.String(), { description: "The items, as they were sent." }),
    n: Type.Optional(Type.Integer({ description: "Of pick: how many are drawn." })),
    result: Type.Array(Type.String(), {
      description:
        "The drawn items. Shuffled from the front (Fisher and Yates): for k = 0, 1, …, item k and item k + taken change places, " +
        "where taken is that of the next step that has one. A pick is the beginning of the shuffle.",
    }),
    steps,
  },
  { title: "DrawnItems", description: "Items, drawn with pick or shuffle." },
);
const drawn = (title: string) => `#/components/schemas/${title}`;
const Draw = Type.Union([DrawnNumber, DrawnItems], {
  title: "BeaconDraw",
  description: "What was drawn.",
  discriminator: {
    propertyName: "kind",
    mapping: { int: drawn("DrawnNumber"), pick: drawn("DrawnItems"), shuffle: drawn("DrawnItems") },
  },
});

export const BeaconRound = Type.Object(
  {
    round,
    starts,
    ends: Time("When the round ends and its seed comes out."),
    now_round: Type.Optional(
      Type.Integer({ description: "While the round has not ended: the one that runs now." }),
    ),
    commit,
    revealed: Type.Boolean({ description: "Whether the round has ended and its seed is out." }),
    seed: Nullable(Hash("The seed; null until the round has passed.")),
    value: Type.Optional(
      Type.Object(
        { label: Type.String({ description: "The label of the call; empty if there was none." }), ...value },
        { description: "The value of the seed with the label, once the round has ended." },
      ),
    ),
    draw: Type.Optional(Draw),
    toss,
    agree_before,
    means,
    formula: Type.Optional(Type.String({ description: "How the coin or the draw was computed." })),
    proof: Type.Object(
      {
        day: Day("The UTC day whose tree it is."),
        index: Type.Integer({ description: "Which leaf of the day's tree the commit is." }),
        rounds: Type.Integer({ description: "How many leaves the tree has." }),
        path: Type.Array(Hash("A hash beside the way up."), { description: "RFC 6962, section 2.1.1." }),
        root: Hash("The day's Merkle root."),
        statement: Type.String({ description: "The signed root: a compact JWS." }),
        published: Time("When the root was published."),
        precommitted,
        why_not_precommitted,
      },
      { description: "That the commit was published, and signed, in its day's tree." },
    ),
    clock: Type.Optional(Clocks),
    ...always,
  },
  { title: "BeaconRound", description: "One round of the beacon." },
);

export const BeaconDay = Type.Object(
  {
    day: Day("The UTC day."),
    first_round: Type.Integer({ description: "The number of its first round." }),
    rounds: Type.Integer({ description: "How many rounds it has." }),
    commits: Type.Array(commit, { description: "The commits of its rounds, in their order." }),
    root: Hash("The Merkle root over the commits (RFC 6962), each leaf the 32 bytes of a commit."),
    statement: Type.String({ description: "The signed root: a compact JWS." }),
    prev: Nullable(Hash("SHA-256 of the statement before this one; null for the first.")),
    published: Time("When the root was published."),
    precommitted,
    why_not_precommitted,
    ...always,
  },
  { title: "BeaconDay", description: "The commitments of one day." },
);

/** Members of lean answers. */
const lean = {
  clock: Type.Optional(Type.Literal("held")),
  round_seconds: Type.Optional(Type.Integer({ description: "Only if rounds do not last 60 seconds." })),
  formulas: Type.String({ description: "The formulas in a few words, and where they are explained." }),
  caveat: Type.String(),
};
const ends = Time("When it ends and its seed is published.");

export const LeanBeacon = Type.Object(
  {
    now: Type.Object({ round, ends }),
    coming: Type.Optional(Type.Object({ round, starts, commit }, { description: "A round to agree on." })),
    ...lean,
  },
  { title: "LeanBeacon" },
);

const { proof } = BeaconRound.properties;
export const LeanRound = Type.Object(
  {
    toss,
    round,
    agree_before,
    ends: Type.Optional(ends),
    commit: Type.Optional(commit),
    seed: Type.Optional(Hash("The seed, once the round has ended.")),
    value: Type.Optional(Type.Object(value)),
    means,
    result: Type.Optional(
      Type.Union([Type.Integer(), Type.Array(Type.String())], {
        description: "What was drawn: a whole number with int, a list of items with pick and shuffle.",
      }),
    ),
    precommitted,
    why_not_precommitted,
    proof: Type.Optional(Type.Object({ ...proof.properties, commit })),
    ...lean,
  },
  { title: "LeanBeaconRound" },
);

export type LeanBeacon = Static<typeof LeanBeacon>;
export type LeanRound = Static<typeof LeanRound>;
export type BeaconOverview = Static<typeof BeaconOverview>;
export type BeaconRound = Static<typeof BeaconRound>;
export type BeaconDay = Static<typeof BeaconDay>;

export const caveat =
  "Everybody sees the same value for a round and a label: it is not secret and must not be used to make keys, passwords or anything that nobody " +
  "else may know. It is fair only if the round and the label were agreed on before the round began.";
export const caveat_lean = "Public: never for keys.";
