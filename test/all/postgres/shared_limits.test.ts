/** Limits of use of two nodes with one database: each knows a second later what the other has admitted. */

import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { limits } from "../../../src/core/limits.ts";
import { FakeClock } from "../../support/clock.ts";
import { get, post } from "../../support/http.ts";
import { lacks_postgres, startPostgres, type PostgresServer } from "../../support/postgres_server.ts";
import { startSource, type SourceService, type TestSettings } from "../../support/service.ts";

describe.skipIf(lacks_postgres)("limits of use over several nodes", () => {
  let server: PostgresServer;
  let schemas = 0;
  let nodes: SourceService[] = [];
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());
  afterEach(async () => {
    await Promise.all(nodes.splice(0).map((node) => node.stop()));
    schemas++;
  });

  /** Starts a node with a clock of its own on the database of the test. */
  async function start(settings: TestSettings = {}): Promise<SourceService> {
    const database = `${server.url}?schema=limits${schemas}`;
    const seed = nodes.length + 1;
    const node = await startSource(
      { rate_limit: true, pace: null, database, ...settings },
      new FakeClock(),
      seed,
    );
    nodes.push(node);
    return node;
  }
  /** The node reports what it has admitted, and reads what others have. */
  async function exchange({ clock }: SourceService): Promise<void> {
    clock.advance(limits.use_exchange_seconds);
    // The next exchange is scheduled when this one has ended.
    await clock.timerAt(limits.use_exchange_seconds);
  }
  const open = ({ url }: SourceService, headers = {}) =>
    post(`${url}/api/meet/rooms`, { goal: "Busy", name: "Ada" }, headers);
  /** Opens rooms until the node refuses one; returns how many it admitted, and Retry-After. */
  async function openAll(node: SourceService, count = Infinity) {
    for (let admitted = 0; admitted < count; admitted++) {
      const { status, headers } = await open(node);
      if (status === 429) return { admitted, retry_after: Number(headers.get("retry-after")) };
      expect(status).toBe(201);
    }
    return { admitted: count, retry_after: 0 };
  }
  /** What the nodes have reported. */
  async function shared(): Promise<{ policy: string; key: string }[]> {
    const sql = new Bun.SQL(server.url, { max: 1 });
    const rows = await sql.unsafe(`SELECT policy, key FROM limits${schemas}.limit_use ORDER BY policy`);
    await sql.close();
    return rows;
  }

  test("refuses at every node what was used up at one, with the same Retry-After", async () => {
    const [a, b] = [await start(), await start()];
    expect((await openAll(a)).admitted).toBe(20);
    await exchange(a);
    await exchange(b);
    const refused = await openAll(b);
    expect(refused.admitted).toBe(0);
    // One of 20 an hour.
    expect(refused.retry_after).toBeWithin(175, 181);
    expect((await open(b, { "x-forwarded-for": "192.0.2.7" })).status).toBe(201);
  });

  test("admits no more at two nodes than the limit and what the other admits between two exchanges", async () => {
    const [a, b] = [await start(), await start()];
    let admitted = 0;
    let refused = { admitted: 0, retry_after: 0 };
    // Four calls a second at each.
    for (let round = 0; round < 10; round++) {
      for (const node of [a, b]) {
        refused = await openAll(node, 4);
        admitted += refused.admitted;
        await exchange(node);
      }
    }
    expect(admitted).toBeWithin(20, 20 + 2 * 4 + 1);
    // What was admitted too much is refilled first.
    expect(refused.retry_after).toBeWithin(150, (admitted - 20 + 1) * 180 + 1);
    const wait_seconds = refused.retry_after;
    for (const seconds of [wait_seconds - 20, 20]) {
      for (const node of [a, b]) {
        node.clock.advance(seconds);
        await exchange(node);
      }
      if (seconds !== 20) expect((await openAll(a)).admitted).toBe(0);
    }
    expect((await openAll(a)).admitted).toBe(1);
  });

  test("a burst at both nodes is paid back, whichever node is called", async () => {
    const [a, b] = [await start(), await start()];
    expect((await openAll(a)).admitted + (await openAll(b)).admitted).toBe(40);
    await exchange(a);
    await exchange(b);
    expect((await openAll(b)).retry_after).toBeWithin(3_700, 3_781);
    await exchange(a);
    expect((await openAll(a)).retry_after).toBeWithin(3_700, 3_781);
  });

  test("nodes that join know what was used, and nodes that stop free nothing", async () => {
    const a = await start();
    await openAll(a, 12);
    await a.stop();
    const b = await start();
    expect((await openAll(b)).admitted).toBe(8);
    await server.crash();
    await server.start();
    // A node that has lost its database answers nobody until it has read what it missed.
    while ((await get(`${b.url}/api/meet/rooms`)).status === 503) await Bun.sleep(10);
    // The table is empty now: the node still knows.
    await exchange(b);
    expect((await openAll(b)).admitted).toBe(0);
    nodes = [b];
  });

  test("reports only callers that use a tenth of a limit, and no addresses and names", async () => {
    const [a, b] = [await start(), await start()];
    const from = { "x-forwarded-for": "192.0.2.77" };
    await open(a, from);
    for (let i = 0; i < 7; i++)
      await post(`${a.url}/api/meet/rooms/busy/posts`, { name: "Ada", body: "x" }, from);
    await exchange(a);
    const rows = await shared();
    expect(rows.map(({ policy }) => policy)).toEqual(["writes-by-name"]);
    expect(rows[0]!.key).toMatch(/^[0-9a-f]{32}$/);
    await exchange(b);
    const { headers } = await post(`${b.url}/api/meet/rooms/busy/posts`, { name: "Ada", body: "x" }, from);
    expect(headers.get("ratelimit")).toMatch(/^"writes-by-name";r=5[12];/);
  });

  test("without the database a node continues with its own count", async () => {
    const a = await start();
    await openAll(a, 12);
    await server.crash();
    await exchange(a);
    expect(a.output()).toContain("limits.not_shared");
    await server.start();
    // It takes a moment until the node has found that the database is back.
    while ((await shared()).length === 0) await exchange(a);
    const b = await start();
    expect((await openAll(b)).admitted).toBe(8);
  });
});
