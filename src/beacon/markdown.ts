/** The beacon as markdown for agents. */

import { fenced, inline } from "../web/markdown.ts";
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

export function roundMarkdown(base: string, round: BeaconRound): string {
  const { value, draw, proof } = round;
  return [
    `# Round ${round.round} of the beacon`,
    "",
    `> ${round.caveat}`,
    ...(round.test_mode ? ["", `> ${round.test_mode}`] : []),
    "",
    `${round.starts} to ${round.ends}; round ${round.now_round} ran when this was written.`,
    "",
    `- commit: \`${round.commit}\``,
    `- seed: ${round.seed ? `\`${round.seed}\`` : "not out until the round has passed"}`,
    ...(value
      ? [`- value under the label "${inline(value.label)}": \`${value.hex}\`, ${value.float}, ${value.coin}`]
      : []),
    ...(draw ? [`- ${draw.kind}:`, "", fenced(JSON.stringify(draw.result), `round ${round.round}`)] : []),
    "",
    "## Proof",
    "",
    `Leaf ${proof.index} of ${proof.rounds} of ${proof.day}, published ${proof.published} ` +
      `(${proof.precommitted ? "before" : "after"} the round began).`,
    "",
    `- root: \`${proof.root}\``,
    `- statement: \`${proof.statement}\``,
    ...proof.path.map((hash) => `- path: \`${hash}\``),
    "",
    `Check it without trusting this service: \`wharf beacon verify ${round.round} --url ${base}\``,
    "",
  ].join("\n");
}
