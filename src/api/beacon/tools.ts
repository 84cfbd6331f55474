/** Input and output schema of the beacon tool, built from the fields of the HTTP API. */

import { Type } from "@sinclair/typebox";
import { Count, WaitSeconds } from "../../core/fields.ts";
import { LeanBeacon, LeanRound, RoundQuery, TossQuery } from "./beacon.ts";
import { beacon_limits } from "../limits.ts";

/** A field of the HTTP API with a description of a few words. */
const briefly = <Field extends object>(field: Field, description: string): Field => ({
  ...field,
  description,
});
const { label, int, pick, shuffle } = RoundQuery.properties;
const { toss, heads, tails } = TossQuery.properties;
export const BeaconInput = Type.Object({
  toss: briefly(toss, "As posted."),
  round: Type.Optional(
    Count({
      description: "Its number.",
      minimum: 0,
      maximum: 1e15 - 1,
    }),
  ),
  label: briefly(label, "What it is about."),
  heads: briefly(heads, "Its meaning."),
  tails: briefly(tails, "Its meaning."),
  int: briefly(int, "1..6"),
  pick: briefly(pick, "n of these, with commas between."),
  n: Type.Optional(
    Count({ description: "How many to pick.", minimum: 1, maximum: beacon_limits.beacon_items_max }),
  ),
  shuffle: briefly(shuffle, "These, in a drawn order."),
  wait_seconds: WaitSeconds("Until the round ends."),
  proof: Type.Optional(Type.Boolean()),
});

/** The state of the beacon, or a round. */
export const BeaconOutput = Type.Object({
  ...Type.Partial(Type.Object({ ...LeanBeacon.properties, ...LeanRound.properties })).properties,
  steps_at: Type.Optional(Type.String()),
  next: Type.Optional(Type.String()),
});
