/** Clients that send the same refresh token at once, also to services that are killed meanwhile. */

import { expect } from "bun:test";
import { refreshed, type Issued, type Refused } from "./oauth.ts";
import type { Random } from "./seed.ts";

const racers = 64;
/** Of the event loop: so many pass before the last answer comes. */
const turns_max = 200;
const numbers = Array.from({ length: racers }, (_, i) => i);

/** A client and the refresh token that it has. */
export interface Program {
  client_id: string;
  refresh_token: string;
}

/** The node that a racer calls. */
type UrlOf = (racer: number) => string;

type Outcome = Issued | Refused;

/** The answer to a call beside the racers. A service that is busy with them answers 503: the client sends it again. */
export async function sentBeside<Answered extends { status: number }>(
  send: () => Promise<Answered>,
): Promise<Answered> {
  for (;;) {
    const answer = await send();
    if (answer.status !== 503) return answer;
  }
}

/** One refresh, which is repeated with the same token. */
const refreshOnce = async (url: string, { client_id, refresh_token }: Program): Promise<Outcome> =>
  (await sentBeside(() => refreshed<Outcome>(url, client_id, refresh_token))).body;

/** Each racer sends the token at once. Returns the answers. */
export const race = (urlOf: UrlOf, program: Program): Promise<Outcome[]> =>
  Promise.all(numbers.map((i) => refreshOnce(urlOf(i), program)));

/** The successor in all these answers. Expects each to be a success, with the same one. */
export function successorIn(answers: Outcome[]): string {
  expect(answers.filter((answer) => "error" in answer)).toEqual([]);
  const [successor, ...others] = new Set(answers.map((answer) => (answer as Issued).refresh_token));
  expect(others).toEqual([]);
  return successor!;
}

/** Each racer refreshes `count` times in a row, by the answers that it gets itself. Returns the last token, the same for all. */
export async function raceOn(urlOf: UrlOf, program: Program, count: number): Promise<string> {
  const last = numbers.map(async (i) => {
    const { client_id } = program;
    let answer: Outcome = await refreshOnce(urlOf(i), program);
    for (let n = 1; n < count && !("error" in answer); n++)
      answer = await refreshOnce(urlOf(i + n), { client_id, refresh_token: answer.refresh_token });
    return answer;
  });
  return successorIn(await Promise.all(last));
}

/**
 * Races `kills` times. Each time some answers are lost, because `killOne` kills a service while they are under way and starts it again.
 * Expects that a racer with an answer can use it, that one without an answer can repeat its token, and that all get the same successors.
 * Returns the last token and the number of lost answers.
 */
export async function raceUnderKills(
  urlOf: UrlOf,
  { client_id, refresh_token }: Program,
  { kills, killOne, below }: { kills: number; killOne: () => Promise<void>; below: Random["below"] },
): Promise<{ refresh_token: string; lost: number }> {
  let token = refresh_token;
  let lost = 0;
  for (let kill = 0; kill < kills; kill++) {
    const reached = Promise.withResolvers<void>();
    let to_come = 1 + below(racers);
    const answered = () => {
      if (--to_come === 0) reached.resolve();
    };
    const sent = numbers.map(async (i) => {
      const answer = await refreshOnce(urlOf(i), { client_id, refresh_token: token }).catch(() => null);
      answered();
      return answer;
    });
    // Answers come many at a time: every other kill comes at any turn before them.
    if (kill % 2 === 0) await reached.promise;
    else for (let turns = 1 + below(turns_max); turns > 0; turns--) await new Promise(setImmediate);
    await killOne();
    const answers = await Promise.all(sent);
    lost += answers.filter((answer) => answer === null).length;
    const [before, program] = [token, { client_id, refresh_token: token }];
    const successors: Outcome[] = [];
    const next = answers.map(async (answer, i) => {
      // If there is another node, it knows what the one that was killed has committed.
      const own = answer ?? (await refreshOnce(urlOf(i + 1), program));
      successors.push(own);
      return "error" in own ? own : refreshOnce(urlOf(i), { client_id, refresh_token: own.refresh_token });
    });
    token = successorIn(await Promise.all(next));
    expect(successorIn(successors)).not.toBe(before);
  }
  return { refresh_token: token, lost };
}
