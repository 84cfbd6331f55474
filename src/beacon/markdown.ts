/** The beacon as markdown for agents, in the text form. */

import { notIssuedLine } from "../../views/text.ts";
import { quoted, quotedName, withNotice } from "../core/text_form.ts";
import type { BeaconOverview, BeaconRound } from "../api/beacon/beacon.ts";
import { beacon_internal_limits } from "./limits.ts";

/** RFC 9162, section 2.1.3.2, in the names of the answers. */
const proof_steps = [
  "H is SHA-256 over bytes; a hash in hex is 32 bytes. Take `index`, `rounds`, `path` and `root` from the proof of the round:",
  "",
  "    hash = H(00 commit);  i = index;  last = rounds - 1",
  "    for each p in path:",
  "      if i is odd or i = last:  hash = H(01 p hash);  while i is even and i > 0: halve i and last",
  "      else:                     hash = H(01 hash p)",
  "      halve i and last (rounding down)",
  "    hash = root and last = 0: the commit is in the tree",
  "",
  "`statement` is a JWS whose payload has the same `root` and the round's day. `GET /receipt/key.pem` is its key.",
];

export function beaconMarkdown(base: string, beacon: BeaconOverview): string {
  const { now, last_revealed, upcoming_commitments, days } = beacon;
  return [
    "# The beacon",
    "",
    beacon.caveat,
    ...(beacon.test_mode ? [beacon.test_mode] : []),
    ...(beacon.clock === "held" ? ["The clocks of the service disagree: no new seed is published."] : []),
    "",
    `Round ${now.round} runs from ${now.starts} to ${now.ends}; rounds last ${beacon.round_seconds} s. ` +
      `Commitments are published from ${days.first} to ${days.last}.`,
    ...(days.not_issued ?? []).map(notIssuedLine),
    "",
    "| round | starts | commit |",
    "| --- | --- | --- |",
    ...upcoming_commitments
      .slice(0, beacon_internal_limits.commitments_in_markdown)
      .map(({ round, starts, commit }) => `| ${round} | ${starts} | \`${commit}\` |`),
    "",
    ...(last_revealed
      ? [
          `Round ${last_revealed.round} has ended:`,
          `commit \`${last_revealed.commit}\``,
          `seed \`${last_revealed.seed}\``,
          "",
        ]
      : []),
    "## Formulas",
    "",
    ...beacon.how.map((line) => `- ${line}`),
    "",
    "## Check that a commit was published",
    "",
    ...proof_steps,
    "",
    `One round: ${base}${beacon.one_round}`,
    "",
  ].join("\n");
}

/** The lines of a draw. The items are a stranger's: the author of the address. */
function drawLines(draw: NonNullable<BeaconRound["draw"]>): string[] {
  if (draw.kind === "int") return [`int ${draw.from}..${draw.to}: ${draw.result}`];
  const { kind, n, items, result } = draw;
  const listed = (list: string[]) => quoted(`[${list.map(quotedName).join(",")}]`);
  return [
    `${kind}${n === undefined ? "" : ` ${n}`} of`,
    listed(items),
    "gives, in this order:",
    listed(result),
  ];
}

export function roundMarkdown(base: string, round: BeaconRound): string {
  const { value, draw, proof, toss, agree_before, means, formula } = round;
  const text = [
    round.caveat,
    ...(round.test_mode ? [round.test_mode] : []),
    "",
    `${round.starts} to ${round.ends}` +
      (round.now_round === undefined ? "." : `; round ${round.now_round} runs now.`),
    "",
    `commit: \`${round.commit}\``,
    `seed: ${round.seed ? `\`${round.seed}\`` : "published when the round has ended"}`,
    ...(round.clock ? [`clock: ${round.clock}`] : []),
    ...(value ? [`value: \`${value.hex}\`, ${value.float}, ${value.coin}`] : []),
    ...(value?.label ? ["under the label:", quoted(value.label)] : []),
    ...(draw ? drawLines(draw) : []),
    ...(means === undefined ? [] : [`${value!.coin} means:`, quoted(means)]),
    ...(formula === undefined ? [] : [`formula: ${formula}`]),
    ...(agree_before === undefined ? [] : [`Fair only if all agreed on it before ${agree_before}.`]),
    ...(toss === undefined ? [] : ["The toss in full, to paste:", quoted(toss)]),
    "",
    "## Proof",
    "",
    `Leaf ${proof.index} of ${proof.rounds} of ${proof.day}, published ${proof.published} ` +
      `(${proof.why_not_precommitted === undefined ? "before the day began" : `not precommitted: ${proof.why_not_precommitted}`}).`,
    "",
    `root: \`${proof.root}\``,
    `statement: \`${proof.statement}\``,
    ...proof.path.map((hash) => `path: \`${hash}\``),
    "",
    `Formulas: ${base}/beacon.md. Check it without this service: \`wharf beacon verify ${round.round} --url ${base}\``,
    "",
  ];
  return `# Round ${round.round} of the beacon\n\n${withNotice(text.join("\n"))}`;
}
