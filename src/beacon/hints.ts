/** What a caller does next after an error of the beacon. */

import { beacon_calls } from "../api/calls.ts";
import { hint, words, type HintsOf } from "../core/hints.ts";
import type { beacon_errors } from "./errors.ts";

const { read } = beacon_calls;
const wait = words({
  http: "Ask again when Retry-After says; until then GET /api/beacon/{round} has its commitment.",
  tool: "With wait_seconds the call waits; with round alone it gives the commitment.",
  command: "Run the command again later.",
});

/** What the overview names. The command shows only one round of it. */
const named = (by_overview: string) =>
  words({ http: by_overview, tool: by_overview, command: "the last round that has ended" });

export const beacon_hints = {
  round_not_found: hint`${read} names ${named("the current round, and the first and the last published day")}.`,
  not_issued: hint`${read} names ${named("the current round, and under days what is not issued")}.`,
  not_yet: hint`Nothing was computed. ${wait}`,
  beacon_held: "Rounds that were out before can still be read.",
} satisfies HintsOf<typeof beacon_errors>;
