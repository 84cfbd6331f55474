/** Checks what the service says of a round: its seed, its place in the signed tree of its day, and a draw. */

import { Checks } from "./checks.ts";
import { redraw, type Redrawn } from "./draw.ts";
import { sha256Text } from "./hashes.ts";
import type { Keys } from "./jws.ts";
import { beginsWithItsDay, type Statement } from "./statement.ts";
import { rootByPath } from "./tree.ts";

/** The members of an answer about a round that are checked. */
export interface Round {
  round: number;
  commit: string;
  seed: string | null;
  value?: { hex: string; float: number; coin: string };
  draw?: { result: number | string[] };
  proof: { index: number; rounds: number; path: string[]; root: string; statement: string; day: string };
}

interface CheckedRound {
  checks: Checks;
  /** The signed statement about the round's day; null if its signature is not valid. */
  statement: Statement | null;
  /** The repeated draw; null until the seed is published. */
  drawn: Redrawn | null;
}

/**
 * Checks the answer about the round `number` for a `query` such as `label=lunch&int=1..6`. Without `with_draw` the answer has
 * no draw: it is repeated but not compared. Without keys (a browser without Ed25519) the signature is not checked.
 */
export async function checkRound(
  round: Round,
  keys: Keys | null,
  number: number,
  query: string,
  with_draw = true,
): Promise<CheckedRound> {
  const checks = new Checks();
  const { proof, commit, seed } = round;
  checks.is("the answer is about the round that was asked for", round.round === number);
  if (seed !== null) checks.is("the commit is the SHA-256 of the seed", (await sha256Text(seed)) === commit);
  checks.is(
    "the proof leads from the commit to the root",
    (await rootByPath(commit, proof.index, proof.rounds, proof.path)) === proof.root,
  );
  const statement = await checks.signed("the root is signed by the key", proof.statement, keys);
  if (statement) {
    const { root, rounds, first_round } = statement;
    checks.is("the signed root is that of the proof", root === proof.root && rounds === proof.rounds);
    checks.is("the leaf is the round's own", first_round + proof.index === number);
    checks.is("the statement is about the day of the round", beginsWithItsDay(statement));
  }
  const drawn = seed === null ? null : await redraw(seed, new URLSearchParams(query));
  if (drawn && with_draw) compareDraw(checks, drawn, round);
  return { checks, statement, drawn };
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

function compareDraw(checks: Checks, { hex, float, coin, result }: Redrawn, { value, draw }: Round): void {
  const shown = [value?.hex, value?.float, value?.coin];
  checks.is("the value follows from the seed and the label", same([hex, float, coin], shown));
  if (result === undefined) return;
  checks.is(
    "the draw follows from the value",
    same(result, draw?.result),
    `drawn again: ${JSON.stringify(result)}`,
  );
}
