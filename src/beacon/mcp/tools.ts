/** The `beacon` tool: its current state, a round, or a draw. */

import { type Static } from "@sinclair/typebox";
import { invalidFields } from "../../core/errors.ts";
import { limits } from "../../core/limits.ts";
import type { WaitOptions } from "../../core/waits.ts";
import { quotedName } from "../../core/text_form.ts";
import { memberLines } from "../../mcp/text.ts";
import { defineTool, type Tool } from "../../mcp/tool.ts";
import { proposedToss, roundFor } from "../draw_query.ts";
import type { Beacon, Overview } from "../beacon.ts";
import * as present from "../representations.ts";
import { queryOf, requestIn, type Proposal, type Query, type Toss } from "../words.ts";
import type { BeaconRound, LeanRound } from "../../api/beacon/beacon.ts";
import { BeaconInput, BeaconOutput } from "../../api/beacon/tools.ts";

export const beaconTools = (beacon: Beacon): Tool[] => [
  defineTool({
    name: "beacon",
    title: "Draw from the beacon",
    description:
      "Use to settle something by a draw that nobody can choose. Propose it with label, and heads and tails, int, pick or " +
      "shuffle; post its toss and commit, which others pass as toss.",
    changes: "nothing",
    by: "anybody",
    input: BeaconInput,
    output: BeaconOutput,
    async run({ round, n, wait_seconds, proof, ...rest }, { base, open }) {
      const query = { ...rest, n: n?.toString() };
      const how = { wait_seconds, open, proof };
      if (isToss({ round, ...query }))
        return tossResult(beacon, base, await proposedToss(beacon, { round, ...query }), how);
      if (round !== undefined) return roundResult(beacon, base, round, query, how);
      if (Object.values(query).every((sent) => sent === undefined))
        return overviewResult(beacon, base, await beacon.overview());
      throw invalidFields([
        { path: "round", message: "is required for a draw without a label: the round that was agreed on" },
      ]);
    },
  }),
];

/** Whether a call is about a toss that need not have ended: a pasted one, or one that is proposed. */
const isToss = ({ toss, round, label, heads, tails }: Proposal & { toss?: string; round?: number }) =>
  toss !== undefined || heads !== undefined || tails !== undefined || (round === undefined && Boolean(label));

/** The lines of a result. Texts of callers are in JSON, so that they cannot imitate a line. */
function linesOf({ next, ...members }: Static<typeof BeaconOutput>): string {
  const { result, value: { float: _in_the_structure, ...value } = {}, toss, means, ...plain } = members;
  const items = Array.isArray(result) ? `[${result.map(quotedName).join(",")}]` : result;
  const quoted = (text?: string) => text && quotedName(text);
  const texts = { ...value, means: quoted(means), result: items };
  return [
    ...memberLines({ toss: quoted(toss), ...plain, ...texts }),
    ...(next === undefined ? [] : [`Next: ${next}`]),
  ].join("\n");
}

const output = (structured: Static<typeof BeaconOutput>) => ({ structured, text: linesOf(structured) });

/** The result without arguments: the running round, and one to agree on. */
function overviewResult(beacon: Beacon, base: string, found: Overview) {
  const lean = present.leanOverview(beacon, base, found);
  if (!lean.coming) return output(lean);
  const call = JSON.stringify({ label: "…", heads: "…", tails: "…" });
  return output({ ...lean, next: `beacon ${call} proposes a toss of coming.round.` });
}

/** The result for a round, with the draw if the query has one. `proof`: with the proof and the address of the steps. */
async function roundResult(
  beacon: Beacon,
  base: string,
  number: number,
  query: Query,
  { proof = false, ...wait }: How,
) {
  const request = requestIn(query);
  const found = await roundFor(beacon, number, request, query.label, wait);
  const full = present.round(beacon, found, query.label, request);
  const lean = present.leanRound(beacon, base, found, full, proof);
  if (!full.revealed) {
    const call = JSON.stringify({ round: number, wait_seconds: limits.wait_seconds_max });
    return output({ ...lean, next: `beacon ${call} waits for the seed.` });
  }
  return drawnResult(base, lean, full, query, proof);
}

interface How extends WaitOptions {
  proof?: boolean | undefined;
}

/** The result for a toss: until its round has ended what is agreed, and what to do. */
async function tossResult(beacon: Beacon, base: string, toss: Toss, { proof = false, ...wait }: How) {
  const found = await beacon.round(toss.round, wait);
  const full = present.round(beacon, found, toss.label, toss.request, true);
  const lean = present.leanRound(beacon, base, found, full, proof);
  if (full.revealed) return drawnResult(base, lean, full, queryOf(toss), proof);
  const call = `beacon with toss and wait_seconds ${limits.wait_seconds_max} waits for the seed.`;
  if (full.now_round! >= full.round)
    return output({ ...lean, next: `${call} Fair only if all agreed before agree_before.` });
  return output({ ...lean, next: `All post this toss before agree_before. Then ${call}` });
}

/** The result of a round that has ended. With the proof of a draw it has the address of the steps. */
function drawnResult(base: string, lean: LeanRound, full: BeaconRound, query: Query, proof: boolean) {
  if (!proof || !full.draw) return output(lean);
  const sent = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return output({ ...lean, steps_at: `${base}/api/beacon/${full.round}?${new URLSearchParams(sent)}` });
}
