/** Verifies a beacon from outside: rounds, draws and the chain of days. Trusts only SHA-256 and a public key. */

import { Checks, type Check } from "./checks.ts";
import type { Redrawn } from "./draw.ts";
import { sha256Text } from "./hashes.ts";
import type { Keys } from "./jws.ts";
import { checkRound, type Round } from "./round.ts";
import { beginsWithItsDay, readStatement } from "./statement.ts";
import { rootOverCommits } from "./tree.ts";

/** Reads the JSON at a path of the service or its copy; null if it does not exist. */
export type Read = (path: string) => Promise<unknown>;

interface Day {
  day: string;
  first_round: number;
  rounds: number;
  commits: string[];
  root: string;
  statement: string;
  prev: string | null;
}

interface VerifiedRound {
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
  const { checks, statement, drawn } = await checkRound(round, keys, number, query, !is_copy);
  if (statement) {
    const day = (await read(`/api/beacon/days/${statement.day}`)) as Day | null;
    const what = `there is one statement about ${statement.day}`;
    if (day) checks.is(what, day.statement === round.proof.statement, twoRoots(statement.day));
    // A copy may hold rounds only. A service shows every day that it has signed.
    else if (!is_copy) checks.is(what, false, "the service does not show that day");
  }
  return { checks: checks.all, drawn };
}

const twoRoots = (day: string) => `two signed statements about ${day}: keep both, they are evidence`;

/** Statements from an earlier check or another source, by day. The served statements must equal them. */
type Known = Map<string, string>;

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
      checks.is(
        `${date}: the statement is about this day`,
        statement.day === date && beginsWithItsDay(statement),
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
