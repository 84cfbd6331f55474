/** The beacon as markdown for agents. */

import { fenced } from "../web/markdown.ts";
import type { BeaconOverview, BeaconRound } from "./schema.ts";

export function beaconMarkdown(base: string, beacon: BeaconOverview): string {
  const { now, last_revealed, upcoming_commitments, days } = beacon;
  return [
    "# The beacon",
    "",
    `> ${beacon.caveat}`,
    ...(beacon.test_mode ? ["", `> ${beacon.test_mode}`] : []),
    ...(beacon.clock === "held" ? ["", "> The clocks of the service disagree: nothing new comes out."] : []),
    "",
    `Round ${now.round} runs from ${now.starts} to ${now.ends}; rounds last ${beacon.round_seconds} s. ` +
      `Commitments are published from ${days.first} to ${days.last}.`,
    "",
    ...(last_revealed
      ? [
          `## Round ${last_revealed.round}, the last that has passed`,
          "",
          `- seed: \`${last_revealed.seed}\``,
          `- commit: \`${last_revealed.commit}\``,
          `- value: \`${last_revealed.value.hex}\`, ${last_revealed.value.float}, ${last_revealed.value.coin}`,
          "",
        ]
      : []),
    "## How",
    "",
    ...beacon.how.map((line) => `- ${line}`),
    "",
    "## Commitments of this round and the next",
    "",
    "| round | starts | commit |",
    "| --- | --- | --- |",
    ...upcoming_commitments.map(({ round, starts, commit }) => `| ${round} | ${starts} | \`${commit}\` |`),
    "",
    `One round: ${base}${beacon.one_round}`,
    "",
  ].join("\n");
}

// A new fence for each text: its author may have read an earlier fence.
const marked = (text: string): string => fenced(text, text);

/** The lines of a draw. Items are comma-separated, as in the query. */
function drawLines({ kind, from, to, n, items, result }: NonNullable<BeaconRound["draw"]>): string[] {
  if (!Array.isArray(result) || !items) return [`- ${kind} ${from}..${to}: **${String(result)}**`];
  return [
    `- ${kind}${n === undefined ? "" : ` ${n}`} of these items:`,
    marked(items.join(",")),
    "- gives, in this order:",
    marked(result.join(",")),
  ];
}

export function roundMarkdown(base: string, round: BeaconRound): string {
  const { value, draw, proof } = round;
  return [
    `# Round ${round.round} of the beacon`,
    "",
    `> ${round.caveat}`,
    ...(round.test_mode ? ["", `> ${round.test_mode}`] : []),
    "",
    `${round.starts} to ${round.ends}` +
      (round.now_round === undefined ? "." : `; round ${round.now_round} runs now.`),
    "",
    `- commit: \`${round.commit}\``,
    `- seed: ${round.seed ? `\`${round.seed}\`` : "not out until the round has passed"}`,
    ...(round.clock ? [`- clock: ${round.clock}`] : []),
    ...(value ? [`- value: \`${value.hex}\`, ${value.float}, ${value.coin}`] : []),
    ...(value?.label ? ["- under the label:", marked(value.label)] : []),
    ...(draw ? drawLines(draw) : []),
    "",
    "## Proof",
    "",
    `Leaf ${proof.index} of ${proof.rounds} of ${proof.day}, published ${proof.published} ` +
      `(${proof.precommitted ? "before" : "after"} the day began).`,
    "",
    `- root: \`${proof.root}\``,
    `- statement: \`${proof.statement}\``,
    ...proof.path.map((hash) => `- path: \`${hash}\``),
    "",
    `Check it without trusting this service: \`wharf beacon verify ${round.round} --url ${base}\``,
    "",
  ].join("\n");
}
