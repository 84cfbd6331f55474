/** The `beacon` tool: its current state, a round, or a draw. */

import { Type } from "@sinclair/typebox";
import { invalidFields, type Hints } from "../../core/errors.ts";
import { beacon_limits } from "../limits.ts";
import { Count } from "../../core/fields.ts";
import { limits } from "../../core/limits.ts";
import type { WaitOptions } from "../../core/waits.ts";
import { memberLine, memberLines } from "../../mcp/text.ts";
import { defineTool, type Tool } from "../../mcp/tool.ts";
import { roundFor, type Query } from "../draw_query.ts";
import type { Beacon, Overview } from "../beacon.ts";
import { roundMarkdown } from "../markdown.ts";
import { BeaconOverview, BeaconRound, Draw, RoundQuery } from "../schema.ts";
import * as present from "../presenters.ts";

const { label, int, pick, shuffle } = RoundQuery.properties;
const BeaconInput = Type.Object({
  round: Type.Optional(
    Count({
      description: "The round's number. Left out: where the beacon is.",
      minimum: 0,
      maximum: 1e15 - 1,
    }),
  ),
  label,
  int,
  pick,
  n: Type.Optional(
    Count({ description: "How many to pick (1).", minimum: 1, maximum: beacon_limits.beacon_items_max }),
  ),
  shuffle,
  wait_seconds: Type.Optional(
    Count({
      description: "Wait until the round has ended, for this long at most.",
      minimum: 0,
      maximum: limits.wait_seconds_max,
    }),
  ),
});

const { how: _how, one_round: _one_round, ...where } = BeaconOverview.properties;
const { draw: _draw, ...round } = BeaconRound.properties;
const { round_seconds, caveat } = round;
/** The state of the beacon, or a round. The steps of a draw are left out because there can be many; `steps_at` has them. */
const BeaconOutput = Type.Object({
  ...Type.Partial(Type.Object({ ...where, ...round })).properties,
  draw: Type.Optional(Type.Omit(Draw, ["steps"])),
  steps_at: Type.Optional(Type.String()),
  round_seconds,
  caveat,
  next: Type.String(),
});

const next_calls: Hints = {
  not_yet:
    "Nothing was computed. Until then beacon with round alone gives the commitment of a published round.",
  beacon_held: "Rounds that were out before can still be read.",
  round_not_found: "beacon without arguments names the current round, and the published days.",
};

export const beaconTools = (beacon: Beacon): Tool[] => [
  defineTool({
    name: "beacon",
    title: "Draw from the beacon",
    description:
      "Use to settle something by a draw that nobody could have chosen: agree on a round that has not begun and on a label, " +
      "and call with both when it has ended. Without arguments: where the beacon is, and coming rounds. With round alone: its " +
      "commitment, and its seed once it has ended. One draw a call: int, pick or shuffle. Public: never for keys.",
    changes: "nothing",
    by: "anybody",
    input: BeaconInput,
    output: BeaconOutput,
    next_calls,
    async run({ round, n, wait_seconds, ...rest }, { base, signal }) {
      const query: Query = { ...rest, n: n?.toString() };
      if (round !== undefined) return roundResult(beacon, base, round, query, { wait_seconds, signal });
      if (Object.values(query).every((sent) => sent === undefined))
        return overviewResult(beacon, await beacon.overview());
      throw invalidFields([
        { path: "round", message: "is required for a draw: the round that was agreed on" },
      ]);
    },
  }),
];

/** The result without arguments: the current round, the value of the last one, the next commitments. */
function overviewResult(beacon: Beacon, found: Overview) {
  const { how: _how, one_round: _one_round, ...overview } = present.overview(beacon, "", found);
  const upcoming_commitments = overview.upcoming_commitments.slice(0, beacon_limits.mcp_commitments_shown);
  const coming = JSON.stringify({ round: overview.now.round + 1 });
  const next =
    `Agree on a round that has not begun, and on a label. beacon ${coming} gives the commitment of the next one; ` +
    "the same call with the label draws from it once it has ended.";
  const { now, last_revealed, days, ...rest } = overview;
  const text = [
    ...memberLines({ now, last_revealed, days }),
    "upcoming_commitments, the running round first:",
    ...upcoming_commitments.map(memberLine),
    ...memberLines({ ...rest, upcoming_commitments: undefined }),
    `Next: ${next}`,
  ];
  return { structured: { ...overview, upcoming_commitments, next }, text: text.join("\n") };
}

/** The result for a round, with the draw if the query has one. */
async function roundResult(beacon: Beacon, base: string, number: number, query: Query, wait: WaitOptions) {
  const { found, request } = await roundFor(beacon, number, query, wait);
  const { draw: drawn, ...round } = present.round(beacon, found, query.label ?? "", request);
  const seconds = Math.ceil((beacon.calendar.starts(number + 1) - found.now.now_ms) / 1000);
  const again = JSON.stringify({ round: number });
  const next = !round.revealed
    ? `Wait ${seconds} seconds, then beacon ${again} gives the seed; with a label it draws.`
    : query.label === undefined && !drawn
      ? `beacon ${again} with the label that was agreed on draws from it.`
      : "Whoever makes the same call gets the same: that settles it.";
  const text = (...lines: string[]) =>
    [roundMarkdown(base, { ...round, ...(drawn && { draw: drawn }) }), ...lines, `Next: ${next}`].join("\n");
  if (!drawn) return { structured: { ...round, next }, text: text() };
  const { steps: _steps, ...draw } = drawn;
  const sent = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const steps_at = `${base}/api/beacon/${number}?${new URLSearchParams(sent)}`;
  return { structured: { ...round, draw, steps_at, next }, text: text(...memberLines({ steps_at })) };
}
