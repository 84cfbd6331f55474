/** Clients that refresh a grant at two nodes of one database at once, also when one of these is killed: never two families, never a lost grant. */

import { SQL } from "bun";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { freePort } from "../../support/free_port.ts";
import { claim, type Holder } from "../../support/names.ts";
import { letIn, refreshed, revoked, whoamiWith, type Issued, type Refused } from "../../support/oauth.ts";
import { lacks_postgres, startPostgres, type PostgresServer } from "../../support/postgres_server.ts";
import { race, raceOn, raceUnderKills, sentBeside, successorIn } from "../../support/refresh_races.ts";
import { testRandom } from "../../support/seed.ts";
import { startBinary } from "../../support/service.ts";
import { signedIn } from "../../support/sign_in.ts";

const kills = Number(process.env["WHARF_TEST_KILLS"] ?? 4);
const base_url = "https://wharf.example";

type Node = Awaited<ReturnType<typeof startBinary>>;

describe.skipIf(lacks_postgres)("two nodes", () => {
  let server: PostgresServer;
  let nodes: [Node, Node];
  let sql: SQL;
  let ada: Holder;
  const start = (settings: object = {}) =>
    startBinary({ database: `${server.url}?schema=oauth`, oauth: true, base_url, ...settings });
  beforeAll(async () => {
    server = await startPostgres();
    nodes = [await start({ port: await freePort() }), await start({ port: await freePort() })];
    sql = new SQL(server.url, { max: 1, connection: { search_path: "oauth" } });
    ada = await claim(nodes[0].url, "Ada");
  });
  afterAll(async () => {
    await sql.close();
    await Promise.all(nodes.map((node) => node.stop()));
    await server.stop();
  });
  const urlOf = (i: number): string => nodes[i % 2]!.url;
  const newProgram = async () => letIn(urlOf(0), await signedIn(urlOf(0), ada, base_url));

  /** The ids of the grants to a program, and the numbers of its refresh tokens that are stored. */
  async function storedOf(client_id: string): Promise<{ grants: string[]; refreshes: number[] }> {
    const rows = (await sql.unsafe(
      "SELECT g.id, r.n FROM oauth_grants g LEFT JOIN oauth_refreshes r ON r.grant_id = g.id WHERE g.client = $1 ORDER BY r.n",
      [client_id],
    )) as { id: string; n: number }[];
    return { grants: [...new Set(rows.map(({ id }) => id))], refreshes: rows.map(({ n }) => n) };
  }

  test("give 64 racers the same successor, and the next ones, in one grant", async () => {
    const program = await newProgram();
    const first = successorIn(await race(urlOf, program));
    const last = await raceOn(urlOf, { ...program, refresh_token: first }, 4);
    const { grants, refreshes } = await storedOf(program.client_id);
    expect([grants.length, refreshes]).toEqual([1, [0, 1, 2, 3, 4, 5]]);
    for (const i of [0, 1]) {
      const { status, body } = await refreshed(urlOf(i), program.client_id, last);
      expect(status).toBe(200);
      for (const node of [0, 1])
        expect(await whoamiWith(urlOf(node), body.access_token)).toEqual([200, "Ada"]);
    }
  });

  test(`keep the grant of 64 racers when nodes are killed in turn, ${kills} times`, async () => {
    const { below } = testRandom("kill -9 of a node while clients refresh");
    const program = await newProgram();
    let killed = 0;
    async function killOne(): Promise<void> {
      const i = killed++ % 2;
      const { process, url } = nodes[i]!;
      process.kill("SIGKILL");
      await process.exited;
      nodes[i] = await start({ port: Number(new URL(url).port) });
    }
    const raced = await raceUnderKills(urlOf, program, { kills, killOne, below });
    console.log(`${kills} kills, ${raced.lost} answers lost`);
    const { grants, refreshes } = await storedOf(program.client_id);
    expect([grants.length, refreshes.at(-1)]).toEqual([1, 2 * kills]);
    const last = await refreshed(urlOf(0), program.client_id, raced.refresh_token);
    expect(await whoamiWith(urlOf(1), last.body.access_token)).toEqual([200, "Ada"]);
  }, 600_000);

  test("end a grant that is revoked at one while 64 racers refresh it at both", async () => {
    const program = await newProgram();
    const { client_id, refresh_token } = program;
    const [answers, ended] = await Promise.all([
      race(urlOf, program),
      sentBeside(() => revoked(urlOf(1), client_id, refresh_token)),
    ]);
    expect(ended.status).toBe(200);
    for (const [i, answer] of answers.entries()) {
      if ("error" in answer) expect(answer.error).toBe("invalid_grant");
      else await expectUseless(urlOf(i), client_id, answer);
    }
    expect(await storedOf(client_id)).toEqual({ grants: [], refreshes: [] });
  });

  async function expectUseless(url: string, client_id: string, { access_token, refresh_token }: Issued) {
    expect(await whoamiWith(url, access_token)).toEqual([401, "unknown_credential"]);
    const { status, body } = await refreshed<Refused>(url, client_id, refresh_token);
    expect([status, body.error]).toEqual([400, "invalid_grant"]);
  }
});
