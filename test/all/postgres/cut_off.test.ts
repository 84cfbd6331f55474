/** A node that could not read what others have changed: it answers nobody until it has. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { systemRandom } from "../../../src/core/random.ts";
import { createLog } from "../../../src/core/log.ts";
import { default_config } from "../../../src/core/settings.ts";
import { rotateKeys } from "../../../src/cli/rotate_keys.ts";
import { postgres_limits } from "../../../src/storage/postgres/limits.ts";
import { asOwner } from "../../support/admin.ts";
import { startForwarder, type Forwarder } from "../../support/forwarder.ts";
import { get, post, type Answer } from "../../support/http.ts";
import { lacks_postgres, startPostgres, type PostgresServer } from "../../support/postgres_server.ts";
import { newDirectory, removeDirectory, startSource, type SourceService } from "../../support/service.ts";

const limits = postgres_limits as { -readonly [Name in keyof typeof postgres_limits]: number };
const as_shipped = { ...limits };
const banned = { "x-forwarded-for": "203.0.113.9" };
const ban = { network: "203.0.113.0/24", reason: "floods" };

describe.skipIf(lacks_postgres)("a node that could not read what others have changed", () => {
  let server: PostgresServer;
  let network: Forwarder;
  let node: SourceService;
  let other: SourceService;
  let database: string;
  let schemas = 0;
  beforeAll(async () => {
    server = await startPostgres();
    network = await startForwarder(server.url);
  });
  afterAll(async () => {
    network.stop();
    await server.stop();
  });
  beforeEach(async () => {
    const schema = `?schema=cut${++schemas}`;
    database = server.url + schema;
    other = await startSource({ database });
    node = await startSource({ database: network.url + schema }, undefined, 2);
  });
  afterEach(async () => {
    network.heal();
    await node.stop();
    await other.stop();
    Object.assign(limits, as_shipped);
  });

  /** The first answer other than 503. While the limits are low, a busy machine counts as silent, too. */
  async function answered<Any extends { status: number }>(call: () => Promise<Any>): Promise<Any> {
    for (;;) {
      const answer = await call();
      if (answer.status !== 503) return answer;
    }
  }
  const firstAnswer = <Body>(path: string, headers?: Record<string, string>): Promise<Answer<Body>> =>
    answered(() => get<Body>(node.url + path, headers));
  const readiness = () =>
    get<{ checks: Record<string, { status: string; code?: string }> }>(`${node.url}/readyz`);

  test("knows bans, keys and posts of before its first answer, once its network is healed", async () => {
    const room = { goal: "Cut off", name: "Ada" };
    const opened = await answered(() => post<{ slug: string }>(`${other.url}/api/meet/rooms`, room));
    const { slug } = opened.body;
    const api = `/api/meet/rooms/${slug}`;
    for (const path of [api, "/.well-known/jwks.json"])
      expect((await firstAnswer(path, banned)).status).toBe(200);
    Object.assign(limits, { silence_ms_max: 300, connect_seconds_max: 0.3 });
    network.swallow();
    while ((await get(node.url + api)).status !== 503);
    Object.assign(limits, as_shipped);
    // What needs no database is refused as well: nobody knows who may have it.
    expect((await get(`${node.url}/.well-known/jwks.json`)).status).toBe(503);
    expect((await readiness()).status).toBe(503);

    await answered(() => asOwner(other, "POST", "/api/admin/bans", ban));
    await answered(() => post(`${other.url}${api}/posts`, { name: "Ada", body: "Meanwhile." }));
    const directory = newDirectory();
    const config = { ...default_config, database, data_dir: directory };
    const log = createLog(other.clock, "error", () => {});
    const { kid } = await rotateKeys(config, { clock: other.clock, random: systemRandom, log });
    removeDirectory(directory);

    network.heal();
    const [refused, read, keys] = await Promise.all([
      firstAnswer(api, banned),
      firstAnswer<{ posts: unknown[] }>(api),
      firstAnswer<{ keys: { kid: string }[] }>("/.well-known/jwks.json"),
    ]);
    expect(refused.status).toBe(403);
    expect(read.body.posts).toHaveLength(1);
    expect(keys.body.keys.map((key) => key.kid)).toContain(kid);
    expect((await firstAnswer("/readyz")).status).toBe(200);
    expect(node.output()).not.toContain("listener_broke");
  });

  test("reads bans again until it can, and answers nobody until then", async () => {
    limits.lock_seconds_max = 0.2;
    const [locking, telling] = [new Bun.SQL(server.url, { max: 1 }), new Bun.SQL(server.url, { max: 1 })];
    await telling.unsafe(`INSERT INTO cut${schemas}.bans VALUES ('${ban.network}', NULL, 'floods', '')`);
    await locking`BEGIN`;
    await locking.unsafe(`LOCK TABLE cut${schemas}.bans`);
    await telling.unsafe(`INSERT INTO cut${schemas}.changed_topics (topic) VALUES ('bans')`);
    // The second reading fails, too.
    for (let i = 0; i < 2; i++) {
      expect((await get(`${node.url}/api/meet/rooms`)).status).toBe(503);
      expect(await readiness()).toMatchObject({
        status: 503,
        body: { checks: { database: { status: "failing", code: "storage_busy" } } },
      });
      await Bun.sleep(300);
    }
    await locking`ROLLBACK`;
    expect((await firstAnswer("/api/meet/rooms", banned)).status).toBe(403);
    expect((await firstAnswer("/api/meet/rooms")).status).toBe(200);
    await Promise.all([locking.close(), telling.close()]);
  });
});
