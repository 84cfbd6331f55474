/** The `beacon` tool: its current state, a round, or a draw. */

import { type Static } from "@sinclair/typebox";
import { invalidFields } from "../../core/errors.ts";
import { limits } from "../../core/limits.ts";
import type { WaitOptions } from "../../core/waits.ts";
import { quotedName } from "../../core/text_form.ts";
import { memberLines } from "../../mcp/text.ts";
import { defineTool, type Tool } from "../../mcp/tool.ts";
import { roundFor, type Query } from "../draw_query.ts";
import type { Beacon, Overview } from "../beacon.ts";
import * as present from "../representations.ts";
import { BeaconInput, BeaconOutput } from "../../api/beacon/tools.ts";

export const beaconTools = (beacon: Beacon): Tool[] => [
  defineTool({
    name: "beacon",
    title: "Draw from the beacon",
    description:
      "Use to settle something by a draw that nobody can choose: agree on a round to come (no arguments: one) and a label, " +
      "store its commit, then call with both, and int, pick or shuffle.",
    changes: "nothing",
    by: "anybody",
    input: BeaconInput,
    output: BeaconOutput,
    async run({ round, n, wait_seconds, proof, ...rest }, { base, open }) {
      const query: Query = { ...rest, n: n?.toString() };
      if (round !== undefined) return roundResult(beacon, base, round, query, { wait_seconds, open, proof });
      if (Object.values(query).every((sent) => sent === undefined))
        return overviewResult(beacon, base, await beacon.overview());
      throw invalidFields([
        { path: "round", message: "is required for a draw: the round that was agreed on" },
      ]);
    },
  }),
];

/** The lines of a result. Items of a draw are in JSON, so that they cannot imitate a line. */
function linesOf({ next, ...members }: Static<typeof BeaconOutput>): string {
  const { result, value, ...plain } = members;
  const items = Array.isArray(result) ? `[${result.map(quotedName).join(",")}]` : result;
  return [
    ...memberLines({ ...plain, ...value, result: items }),
    ...(next === undefined ? [] : [`Next: ${next}`]),
  ].join("\n");
}

const output = (structured: Static<typeof BeaconOutput>) => ({ structured, text: linesOf(structured) });

/** The result without arguments: the running round, and one to agree on. */
function overviewResult(beacon: Beacon, base: string, found: Overview) {
  const lean = present.leanOverview(beacon, base, found);
  if (!lean.coming) return output(lean);
  const call = JSON.stringify({
    round: lean.coming.round,
    label: "…",
    wait_seconds: limits.wait_seconds_max,
  });
  return output({ ...lean, next: `Agree on coming.round and a label, then beacon ${call}` });
}

/** The result for a round, with the draw if the query has one. `proof`: with the proof and the address of the steps. */
async function roundResult(
  beacon: Beacon,
  base: string,
  number: number,
  query: Query,
  { proof = false, ...wait }: WaitOptions & { proof?: boolean | undefined },
) {
  const { found, request } = await roundFor(beacon, number, query, wait);
  const full = present.round(beacon, found, query.label ?? "", request);
  const lean = present.leanRound(beacon, base, found, full, proof);
  if (!full.revealed) {
    const call = JSON.stringify({ round: number, wait_seconds: limits.wait_seconds_max });
    return output({ ...lean, next: `beacon ${call} waits for the seed.` });
  }
  if (!proof || !full.draw) return output(lean);
  const sent = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return output({ ...lean, steps_at: `${base}/api/beacon/${number}?${new URLSearchParams(sent)}` });
}
