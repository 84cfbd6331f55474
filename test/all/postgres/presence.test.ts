/** Who waits, over two nodes with one database: each knows of the other's waits a second later, by few and small writes. */

import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { limits } from "../../../src/core/limits.ts";
import type { NameLookup } from "../../../src/api/names/names.ts";
import { asOwner } from "../../support/admin.ts";
import { FakeClock } from "../../support/clock.ts";
import { get } from "../../support/http.ts";
import { claim, type Holder } from "../../support/names.ts";
import { lacks_postgres, startPostgres, type PostgresServer } from "../../support/postgres_server.ts";
import { open, type Opened } from "../../support/rooms.ts";
import { startSource, type SourceService } from "../../support/service.ts";
import { readEvents } from "../../support/sse.ts";
import type { Present } from "../../../src/api/rooms/present.ts";

describe.skipIf(lacks_postgres)("presence over several nodes", () => {
  let server: PostgresServer;
  let schemas = 0;
  let nodes: SourceService[] = [];
  beforeAll(async () => void (server = await startPostgres()));
  afterAll(() => server.stop());
  afterEach(async () => {
    await Promise.all(nodes.splice(0).map((node) => node.stop()));
    schemas++;
  });

  /** Starts a node with a clock of its own on the database of the test. */
  async function start(): Promise<SourceService> {
    const database = `${server.url}?schema=presence${schemas}`;
    const clock = new FakeClock();
    const node = await startSource({ database }, clock, nodes.length + 1, undefined, undefined, clock);
    nodes.push(node);
    return node;
  }
  /** Two nodes, a room, and a name. */
  async function begin(): Promise<[SourceService, SourceService, Opened, Holder]> {
    const [a, b] = [await start(), await start()];
    const grace = await claim(a.url, "grace");
    const room = await open(a.url, "Where is everybody?");
    await settle(a, b);
    return [a, b, room, grace];
  }
  const at = (node: SourceService, { slug }: Opened) => `${node.url}/api/meet/rooms/${slug}`;
  const present = async (node: SourceService, room: Opened): Promise<Present> =>
    (await get<Present>(`${at(node, room)}/present`)).body;
  /** Resolves when the node shows this of the room, while the nodes send and read. */
  async function shows(node: SourceService, room: Opened, expected: object): Promise<void> {
    while (!Bun.deepMatch(expected, await present(node, room)))
      for (const { clock } of nodes) clock.advance(limits.presence_exchange_seconds);
  }
  const lookup = async (node: SourceService): Promise<NameLookup> =>
    (await get<NameLookup>(`${node.url}/api/name/grace`)).body;
  /** Lets each node send what has changed, until none has anything to send. */
  async function settle(...some: SourceService[]): Promise<void> {
    for (let quiet = 0, before = -1; quiet < 5;) {
      for (const { clock } of some) clock.advance(limits.presence_exchange_seconds);
      await Bun.sleep(20);
      const { rows } = await written();
      quiet = rows === before ? quiet + 1 : 0;
      before = rows;
    }
  }
  /** How many messages the nodes have sent, in how many transactions. */
  async function written(): Promise<{ rows: number; writes: number }> {
    const sql = new Bun.SQL(server.url, { max: 1 });
    const [row] = await sql.unsafe(
      `SELECT count(*)::int AS rows, count(DISTINCT xid::text)::int AS writes
       FROM presence${schemas}.changed_topics WHERE topic LIKE 'message:%'`,
    );
    await sql.close();
    return row as { rows: number; writes: number };
  }

  test("a node shows who waits at the other, and who has left it", async () => {
    const [a, b, room, grace] = await begin();
    const streams = [
      await readEvents(`${at(a, room)}/stream`, grace.pair),
      await readEvents(`${at(a, room)}/stream`),
      await readEvents(`${at(b, room)}/stream`),
    ];
    for (const node of [a, b]) {
      await shows(node, room, { names: [{ name: "grace", waiting: true }], others: 2 });
      expect(await lookup(node)).toMatchObject({ waiting: true });
    }
    for (const stream of streams) await stream.close();
    while ((await present(a, room)).others > 1 || (await lookup(a)).waiting) await a.clock.turn();
    for (const node of [a, b]) {
      await shows(node, room, { names: [{ name: "grace", waiting: false }], others: 0 });
      expect(await lookup(node)).toMatchObject({ waiting: false });
    }
  });

  test("a node shows no name that is suspended at another, neither waiting nor among those who have left", async () => {
    const [a, b, room, grace] = await begin();
    const stream = await readEvents(`${at(a, room)}/stream`, grace.pair);
    await shows(b, room, { names: [{ name: "grace", waiting: true }] });
    const act = (action: string) =>
      asOwner(b, "POST", `/api/admin/names/grace/${action}`, { reason: "floods rooms" });
    expect((await act("suspend")).status).toBe(200);
    for (const node of [a, b]) expect((await present(node, room)).names).toEqual([]);
    while (a.open().streams > 0) await a.clock.turn();
    await settle(a, b);
    for (const node of [a, b]) expect((await present(node, room)).names).toEqual([]);
    await act("unsuspend");
    for (const node of [a, b])
      expect((await present(node, room)).names).toMatchObject([{ name: "grace", waiting: false }]);
    await stream.close();
  });

  test("a node writes at most once a second, and nothing while nothing changes", async () => {
    const [a, b, room, grace] = await begin();
    const stream = await readEvents(`${at(a, room)}/stream`, grace.pair);
    await settle(a, b);
    const before = await written();
    for (let second = 0; second < limits.presence_alive_seconds - 10; second++) a.clock.advance(1);
    await Bun.sleep(50);
    expect(await written()).toEqual(before);
    // Those that come and go within a second change nothing.
    for (let i = 0; i < 20; i++) await (await readEvents(`${at(a, room)}/stream`, grace.pair)).close();
    while (a.open().streams > 1) await a.clock.turn();
    await settle(a);
    expect(await written()).toEqual(before);
    const others = await Promise.all(Array.from({ length: 20 }, () => readEvents(`${at(a, room)}/stream`)));
    await settle(a);
    const after = await written();
    expect([after.rows - before.rows, after.writes - before.writes]).toEqual([1, 1]);
    expect((await present(b, room)).others).toBe(20);
    for (const one of [stream, ...others]) await one.close();
  });

  test("a node that joins learns who waits at those that were there", async () => {
    const [a, b, room, grace] = await begin();
    const stream = await readEvents(`${at(a, room)}/stream`, grace.pair);
    await settle(a, b);
    const c = await start();
    await settle(a, b, c);
    await shows(c, room, { names: [{ name: "grace", waiting: true }] });
    expect(await lookup(c)).toMatchObject({ waiting: true });
    await stream.close();
  });

  test("a node that is silent for five minutes is forgotten, one that says that it is there is not", async () => {
    const [a, b, room, grace] = await begin();
    const stream = await readEvents(`${at(a, room)}/stream`, grace.pair);
    await settle(a, b);
    for (let minute = 0; minute < 10; minute++) {
      for (const { clock } of [a, b]) clock.advance(60);
      await Bun.sleep(20);
      // Reads what the other has sent.
      await present(b, room);
    }
    await shows(b, room, { names: [{ name: "grace", waiting: true }] });
    b.clock.advance(limits.presence_silent_seconds_max + 1);
    await shows(b, room, { names: [{ name: "grace", waiting: false }] });
    await stream.close();
  });

  test("a node that stops is forgotten at once", async () => {
    const [a, b, room, grace] = await begin();
    // Held until the end: a stream that nobody holds may be collected, and its connection closed.
    const stream = await readEvents(`${at(a, room)}/stream`, grace.pair);
    await settle(a, b);
    await shows(b, room, { names: [{ name: "grace", waiting: true }] });
    nodes = nodes.filter((node) => node !== a);
    await a.stop();
    await stream.close();
    await shows(b, room, { names: [{ name: "grace", waiting: false }] });
    await stream.close();
  });
});
