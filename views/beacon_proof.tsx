/** @jsxRuntime classic @jsx Html.createElement @jsxFrag Html.Fragment */
/** Why to believe a result: in words, and as the hashes and the signed statement of its round. */

import { Html } from "@elysiajs/html";
import type { BeaconRound } from "../src/api/beacon/beacon.ts";
import { ClockTime } from "./components.tsx";
import { day, shortTime } from "./text.ts";

/** Why one can believe a result, and what the operator knows. Before the result it says how to keep the fingerprint. */
export function Reasons({ base, round, has_label, has_begun = true }: ReasonsProps) {
  const { proof, starts, seed } = round;
  const was_before = proof.published < starts;
  return (
    <section>
      <h2>{was_before ? "Why you can believe it" : "Can you believe it?"}</h2>
      <ol class="reasons">
        <li>
          The number behind the result was fixed {was_before ? "before" : "after"} this round began: on{" "}
          <ClockTime at={proof.published} is_long />, says the service.
          {!was_before && (
            <b> This beacon was new then. Believe this result only if you trust the operator.</b>
          )}
        </li>
        <li>
          Its fingerprint, from which nobody can compute the number, is published since then in{" "}
          <a href={`${base}/api/beacon/days/${proof.day}`}>
            the signed list of <span safe>{shortTime(starts).split(",")[0]}</span>
          </a>
          . <span safe>{aboutFingerprint(seed !== null, has_begun, was_before)}</span>
        </li>
        <li>
          {seed === null ? (
            "When the result is here, your browser checks that it follows from this number and these words."
          ) : (
            <span id="checked" role="status">
              Nothing is checked here without scripts. With them, your browser checks that the number has this
              fingerprint, that the signed list has it, and that the result follows from{" "}
              {has_label ? "the number and the label" : "the number"}. Or use the lines below.
            </span>
          )}
        </li>
      </ol>
      <OperatorKnows is_open={!has_begun} />
    </section>
  );
}

interface ReasonsProps {
  base: string;
  round: BeaconRound;
  has_label: boolean;
  /** Whether the round has begun, so that it is too late to agree on it. */
  has_begun?: boolean;
}

/** What the reader can do with the fingerprint now. */
function aboutFingerprint(is_over: boolean, has_begun: boolean, was_before: boolean): string {
  if (!has_begun)
    return "Keep it from before the round: send it with the link above, in a chat where its time shows. If the fingerprint is the same after the toss, nobody has changed the number.";
  if (!is_over)
    return "If you copied it into a chat before the round began, compare it after the toss: the same fingerprint proves that nobody has changed the number. Now it is too late to copy it: that proves nothing.";
  return was_before
    ? "If you kept it from before the toss, compare it with the one below: the same fingerprint proves that nobody has changed the number."
    : "Nobody could keep it from before the toss.";
}

/** What nobody can check. `is_open`: whether the reader can still change what it is about. */
export const OperatorKnows = ({ is_open }: { is_open: boolean }) => (
  <p class="warning">
    <b>The operator of this service knows every result in advance</b>, and so does everybody who can read its
    database. Others cannot compute it before its time. So do not toss against the operator or a friend of the
    operator: they could propose a time and words with which they win.
    {is_open &&
      " If you are not sure, add a few words of your own to what it is about, and send that link back before the round begins."}
  </p>
);

const quotedForShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

export const verifyLine = (base: string, number: string, query: string): string =>
  `wharf beacon verify ${number} --url ${base}${query ? ` --draw ${quotedForShell(query.slice(1))}` : ""}`;

export function Proof({ round: { commit, seed, value, proof } }: { round: BeaconRound }) {
  const facts: Record<string, string> = {
    Fingerprint: commit,
    ...(seed !== null && { "Number (seed)": seed }),
    ...(value && { Value: value.hex, Fraction: String(value.float) }),
    Leaf: `${proof.index} of the ${proof.rounds} of ${day(proof.day)}`,
    Published: `${shortTime(proof.published)}, ${proof.why_not_precommitted === undefined ? "before its day began" : `not precommitted: ${proof.why_not_precommitted}`}`,
    Root: proof.root,
    Statement: proof.statement,
  };
  return (
    <dl class="hashes">
      {Object.entries(facts).map(([name, fact]) => (
        <>
          <dt safe>{name}</dt>
          <dd>
            <code safe>{fact}</code>
          </dd>
        </>
      ))}
    </dl>
  );
}
