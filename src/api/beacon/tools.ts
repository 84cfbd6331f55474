/** Input and output schema of the beacon tool, built from the fields of the HTTP API. */

import { Type } from "@sinclair/typebox";
import { Count, WaitSeconds } from "../../core/fields.ts";
import { LeanBeacon, LeanRound, RoundQuery } from "./beacon.ts";
import { beacon_limits } from "../limits.ts";

const { label, int, pick, shuffle } = RoundQuery.properties;
export const BeaconInput = Type.Object({
  round: Type.Optional(
    Count({
      description: "Its number.",
      minimum: 0,
      maximum: 1e15 - 1,
    }),
  ),
  label,
  int,
  pick,
  n: Type.Optional(
    Count({ description: "How many to pick.", minimum: 1, maximum: beacon_limits.beacon_items_max }),
  ),
  shuffle,
  wait_seconds: WaitSeconds("Until the round ends."),
  proof: Type.Optional(Type.Boolean()),
});

/** The state of the beacon, or a round. */
export const BeaconOutput = Type.Object({
  ...Type.Partial(Type.Object({ ...LeanBeacon.properties, ...LeanRound.properties })).properties,
  steps_at: Type.Optional(Type.String()),
  next: Type.Optional(Type.String()),
});
