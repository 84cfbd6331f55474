/** Clients that refresh the same grant at once: they get the same tokens, and a grant that is ended stays ended. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { freePort } from "../support/free_port.ts";
import { post } from "../support/http.ts";
import { claim } from "../support/names.ts";
import { letIn, refreshed, revoked, whoamiWith, type Issued, type Refused } from "../support/oauth.ts";
import { race, raceOn, sentBeside, successorIn } from "../support/refresh_races.ts";
import { newDirectory, removeDirectory, startSource, type SourceService } from "../support/service.ts";
import { signedIn } from "../support/sign_in.ts";
import { stored } from "../support/stored.ts";

let data_dir: string;
let service: SourceService;
let url: string;
beforeAll(async () => {
  data_dir = newDirectory();
  service = await startSource({ oauth: true, data_dir, port: await freePort() });
  url = service.url;
});
afterAll(async () => {
  await service.stop();
  removeDirectory(data_dir);
});

/** A name with a program that it has let in. */
async function newGrant(name: string) {
  const holder = await claim(url, name);
  return { holder, ...(await letIn(url, await signedIn(url, holder))) };
}

/** The grants to a program and their refresh tokens, as stored. */
const storedOf = ({ client_id }: { client_id: string }) =>
  stored(
    data_dir,
    "SELECT g.id, r.n FROM oauth_grants g LEFT JOIN oauth_refreshes r ON r.grant_id = g.id WHERE g.client = $1 ORDER BY r.n",
    client_id,
  );

describe("64 racers with one refresh token", () => {
  test("get the same successor and working access tokens, in one grant", async () => {
    const program = await newGrant("Racer one");
    const answers = await race(() => url, program);
    const successor = successorIn(answers);
    const tokens = new Set(answers.map((answer) => (answer as Issued).access_token));
    for (const token of tokens) expect(await whoamiWith(url, token)).toEqual([200, "Racer one"]);
    expect((await storedOf(program)).map(({ n }) => Number(n))).toEqual([0, 1]);
    expect((await refreshed(url, program.client_id, successor)).status).toBe(200);
  });

  test("of several generations within two minutes keep one grant", async () => {
    const program = await newGrant("Racer two");
    const { client_id } = program;
    const third = await raceOn(() => url, program, 3);
    service.clock.advance(60);
    const generations = [program.refresh_token, third];
    const answers = await Promise.all(
      generations.map((refresh_token) => raceOn(() => url, { client_id, refresh_token }, 4)),
    );
    expect(new Set(answers).size).toBe(2);
    const rows = await storedOf(program);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(1);
    expect(rows.map(({ n }) => Number(n))).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect((await refreshed(url, client_id, answers[1]!)).status).toBe(200);
  });

  test("that have had no answer all get it when they repeat the token a day later, after a restart", async () => {
    const program = await newGrant("Racer three");
    const lost = successorIn(await race(() => url, program));
    await service.stop();
    service.clock.advance(86_400);
    service = await startSource({ oauth: true, data_dir, port: Number(new URL(url).port) }, service.clock);
    const again = successorIn(await race(() => url, program));
    expect(again).toBe(lost);
    expect((await refreshed(url, program.client_id, again)).status).toBe(200);
  });

  test("of two generations end the grant for good, if the older one was replaced two minutes ago", async () => {
    const program = await newGrant("Racer four");
    const { client_id } = program;
    const latest = await raceOn(() => url, program, 2);
    service.clock.advance(121);
    const [old, new_ones] = await Promise.all([
      race(() => url, program),
      race(() => url, { client_id, refresh_token: latest }),
    ]);
    for (const answer of old) expect(answer).toMatchObject({ error: "invalid_grant" });
    await expectEnded(client_id, [latest, ...refreshTokensIn(new_ones)], new_ones);
  });
});

const refreshTokensIn = (answers: (Issued | Refused)[]): string[] => [
  ...new Set(answers.flatMap((answer) => ("error" in answer ? [] : [answer.refresh_token]))),
];

/** Expects that no token of a grant works any more, and that nothing of it is stored. */
async function expectEnded(
  client_id: string,
  refresh_tokens: string[],
  answers: (Issued | Refused)[],
): Promise<void> {
  for (const refresh_token of refresh_tokens) {
    const { status, body } = await refreshed<Refused>(url, client_id, refresh_token);
    expect([status, body.error]).toEqual([400, "invalid_grant"]);
  }
  const access = new Set(answers.flatMap((answer) => ("error" in answer ? [] : [answer.access_token])));
  for (const token of access) expect(await whoamiWith(url, token)).toEqual([401, "unknown_credential"]);
  expect(await storedOf({ client_id })).toEqual([]);
}

describe("a grant that ends while 64 racers refresh it", () => {
  type Program = Awaited<ReturnType<typeof newGrant>>;
  const ways: [string, (program: Program) => Promise<{ status: number }>][] = [
    ["its program revokes it", ({ client_id, refresh_token }) => revoked(url, client_id, refresh_token)],
    ["the key of its name is replaced", ({ holder }) => post(`${url}/api/name/rotate`, {}, holder.pair)],
  ];
  test.each(ways)("is ended for each of them: %s", async (way, endIt) => {
    const program = await newGrant(`Ended by ${way.length}`);
    const racing = race(() => url, program);
    const [ended, answers] = await Promise.all([sentBeside(() => endIt(program)), racing]);
    expect(ended.status).toBe(200);
    for (const answer of answers)
      expect("error" in answer ? answer.error : "issued").toMatch(/^(?:issued|invalid_grant)$/);
    await expectEnded(program.client_id, [program.refresh_token, ...refreshTokensIn(answers)], answers);
  });
});
