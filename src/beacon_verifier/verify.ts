/** Verifies a beacon from outside: rounds, draws and the chain of days. Trusts only SHA-256 and a public key. */

import { redraw, type Redrawn } from "./draw.ts";
import { sha256Text } from "./hashes.ts";
import { readStatement, type Keys, type Statement } from "./statement.ts";
import { rootByPath, rootOverCommits } from "./tree.ts";

/** One check and its result. */
export interface Check {
  what: string;
  holds: boolean;
  /** What was found, if the check failed. */
  found?: string;
}

/** Reads the JSON at a path of the service or its copy; null if it does not exist. */
export type Read = (path: string) => Promise<unknown>;

interface Round {
  round: number;
  commit: string;
  seed: string | null;
  value?: { hex: string; float: number; coin: string };
  draw?: { result: number | string[] };
  proof: { index: number; rounds: number; path: string[]; root: string; statement: string; day: string };
}
interface Day {
  day: string;
  first_round: number;
  rounds: number;
  commits: string[];
  root: string;
  statement: string;
  prev: string | null;
}

/** Collects the results of checks. */
class Checks {
  readonly all: Check[] = [];

  is(what: string, holds: boolean, found = "they differ"): void {
    this.all.push({ what, holds, ...(!holds && { found }) });
  }

  /** Checks a signature. Returns the signed statement, or null if the signature is not valid. */
  async signed(what: string, jws: string, keys: Keys): Promise<Statement | null> {
    try {
      const statement = await readStatement(jws, keys);
      this.is(what, true);
      return statement;
    } catch (error) {
      this.is(what, false, error instanceof Error ? error.message : String(error));
      return null;
    }
  }
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

export interface VerifiedRound {
  checks: Check[];
  /** The repeated draw; null until the seed is published. */
  drawn: Redrawn | null;
}

/**
 * Checks a round and, with a `query` such as `label=lunch&int=1..6`, a draw of it. A copy holds rounds without draws, so
 * there the draw is repeated but not compared.
 */
export async function verifyRound(
  read: Read,
  keys: Keys,
  number: number,
  query = "",
  is_copy = false,
): Promise<VerifiedRound> {
  const round = (await read(`/api/beacon/${number}${query && !is_copy ? `?${query}` : ""}`)) as Round;
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
    const { root, rounds, first_round, day } = statement;
    checks.is("the signed root is that of the proof", root === proof.root && rounds === proof.rounds);
    checks.is("the leaf is the round's own", first_round + proof.index === number);
    const shown = (await read(`/api/beacon/days/${day}`)) as Day | null;
    if (shown)
      checks.is(`there is one statement about ${day}`, shown.statement === proof.statement, twoRoots(day));
  }
  const drawn = seed === null ? null : await redraw(seed, new URLSearchParams(query));
  if (drawn && !is_copy) compareDraw(checks, drawn, round);
  return { checks: checks.all, drawn };
}

const twoRoots = (day: string) => `two signed statements about ${day}: keep both, they are evidence`;

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

/** Statements from an earlier check or another source, by day. The served statements must equal them. */
export type Known = Map<string, string>;

/** Reads statements, one for each line of `text`. Throws if a signature is not valid. */
export async function readKnown(text: string, keys: Keys): Promise<Known> {
  const known: Known = new Map();
  for (const jws of text.split("\n").filter(Boolean)) known.set((await readStatement(jws, keys)).day, jws);
  return known;
}

/** Published days, and those in between that the service does not issue. */
export interface Days {
  first: string;
  last: string;
  not_issued?: { first: string; last: string }[];
}

/**
 * Checks every day from `first` to `last`: the root of its commits, the signature, the link to the day before. A day that the
 * service does not issue must have no statement.
 */
export async function verifyDays(
  read: Read,
  keys: Keys,
  span: Days,
  known: Known = new Map(),
): Promise<{ checks: Check[]; statements: string[] }> {
  const checks = new Checks();
  const statements: string[] = [];
  let prev: string | null = null;
  for (const date of daysBetween(span)) {
    const day = (await read(`/api/beacon/days/${date}`)) as Day | null;
    if (span.not_issued?.some(({ first, last }) => first <= date && date <= last)) {
      const why = "the instance was restored or copied, and the original may have published the day";
      checks.is(`${date}: not issued, because ${why}`, day === null, "there is a statement nevertheless");
    }
    // Days on which the service was down were never published; the chain continues with the next one.
    if (!day) continue;
    const statement = await checks.signed(`${date}: the root is signed by the key`, day.statement, keys);
    const root = await rootOverCommits(day.commits);
    checks.is(
      `${date}: the root is that of its commits`,
      root === day.root && day.commits.length === day.rounds,
    );
    if (statement) {
      const starts = Date.parse(date) / 86_400_000;
      checks.is(
        `${date}: the statement is about this day`,
        statement.day === date && statement.first_round === starts * statement.rounds,
      );
      checks.is(
        `${date}: the statement signs this root`,
        statement.root === root && statement.rounds === day.commits.length,
      );
      checks.is(
        `${date}: the statement follows the one before`,
        statement.prev === prev,
        "the chain is broken",
      );
    }
    const seen = known.get(date);
    if (seen) checks.is(`${date}: there is one statement`, seen === day.statement, twoRoots(date));
    prev = await sha256Text(day.statement);
    statements.push(day.statement);
  }
  return { checks: checks.all, statements };
}

function daysBetween({ first, last }: { first: string; last: string }): string[] {
  const days: string[] = [];
  for (let at = Date.parse(first); at <= Date.parse(last); at += 86_400_000) {
    days.push(new Date(at).toISOString().slice(0, 10));
  }
  return days;
}
