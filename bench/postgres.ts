/**
 * Durable posts in Postgres, on one node and on two: against SQLite, bare grouped INSERTs and one transaction a post, also over a
 * network of one millisecond. Then waits on one node for a post on the other, and reads while a foreign transaction stays open.
 */

import { startPostgres, type PostgresServer } from "../test/support/postgres_server.ts";
import { startDelay } from "./delay.ts";
import { compileEntry, load, postRequest } from "./load.ts";
import { sideBySide } from "./rounds.ts";
import {
  a_post,
  cleanUp,
  newDirectory,
  openRoom,
  residentKib,
  serveCommand,
  start,
  type Server,
} from "./servers.ts";
import { machine, microseconds, perSecond, table, whole, type Row } from "./table.ts";
import { waits, wakeOnOther } from "./waits.ts";

const rounds = 3;
const connections = 64;
const delay_ms = 1;
const hot = ["written"];
const commits = 200_000;
const many = Array.from({ length: 1_000 }, (_, i) => `room-${i}`);

/** Durable posts per second to these rooms, over all nodes together. */
async function rate(nodes: Server[], rooms: string[]): Promise<number> {
  const results = await Promise.all(
    nodes.map(({ url }, i) => {
      const requests = rooms.map((room, n) =>
        postRequest(url, `/api/meet/rooms/${room}/posts`, { ...a_post, name: `Bench ${i} ${n}` }),
      );
      return load(url, { requests, connections: connections / nodes.length, warm_seconds: 1, seconds: 2 });
    }),
  );
  return results.reduce((sum, { per_second }) => sum + per_second, 0);
}

const startNode = (database: string): Promise<Server> =>
  start([...serveCommand(newDirectory()), "--database", database]);

async function openRooms(node: Server): Promise<Server> {
  for (const room of [...hot, ...many]) await openRoom(node.url, room);
  return node;
}

/** The same database through a proxy. */
function through(url: string, port: number): string {
  const changed = new URL(url);
  changed.port = String(port);
  return changed.href;
}

export const heading = "## Postgres";

const how = `Postgres 18 with its defaults, in particular fsync, on the disk of the other servers; it, the load and the proxy share
the machine's cores with the service. Posts are measured as above. What is compared (\`bench/baselines/postgres.ts\`) is
answered over HTTP by Bun.serve, through Bun.SQL, and has a copy of the tables with their indexes. Its INSERTs in groups neither
check nor change the room; a transaction of one post locks the room, counts the post in it and stores it, as its number and its
time require. The foreign transactions are in the same and in another database, and the commits are records of changes of another
node. Posts in 1,000 rooms are under 1,000 names. There the transactions of one post run side by side, and Postgres flushes
its log for all of them together: groups gain less than in one room, where each waits for the one before.`;

/** The section about Postgres. */
export async function postgresSection(): Promise<string> {
  console.error("measuring postgres …");
  const where = machine();
  const server = await startPostgres(undefined, { is_durable: true });
  try {
    const rows = [...(await postRows(server)), ...(await delayedRows(server)), await wakeRow(server)];
    rows.push(await behindRow(server));
    return `${heading}\n\n${where}\n\n${table(rows)}\n\n${how}`;
  } finally {
    await cleanUp();
    await server.stop();
  }
}

/** Baselines in the same database, with the same rooms. */
const startBaselines = (url: string): Promise<[grouped: Server, single: Server]> => {
  const baseline = compileEntry("postgres.ts");
  const bare = (way: "grouped" | "single") =>
    start([baseline, url, way, String(connections), JSON.stringify([...hot, ...many])]);
  return Promise.all([bare("grouped"), bare("single")]);
};

const kinds = [
  ["one room", hot],
  [`${whole(many.length)} rooms`, many],
] as const;
const how_grouped = "bare INSERTs, grouped in the same way";
const how_single = `one transaction a post, over a pool of ${connections}`;

/** Returns what makes the row that compares `rate` with another. */
const compared =
  (what: string, rate: number) =>
  (other: number, how: string): Row => ({
    what,
    value: perSecond(rate),
    compared: `${perSecond(other)} ${how}`,
    ratio: rate / other,
  });

async function postRows({ url }: PostgresServer): Promise<Row[]> {
  const [node, other] = [await openRooms(await startNode(url)), await startNode(url)];
  const sqlite = await openRooms(await start(serveCommand(newDirectory())));
  const baselines = await startBaselines(url);
  const rows: Row[] = [];
  for (const [where, rooms] of kinds) {
    const seen = await sideBySide(rounds, {
      one: () => rate([node], rooms),
      sqlite: () => rate([sqlite], rooms),
      two: () => rate([node, other], rooms),
      grouped: () => rate([baselines[0]], rooms),
      single: () => rate([baselines[1]], rooms),
    });
    const against = compared(`durable posts in Postgres, ${connections} connections, ${where}`, seen.one);
    rows.push(
      against(seen.sqlite, "with SQLite"),
      { ...against(seen.grouped, how_grouped), goal: { at_least: 0.6 } },
      { ...against(seen.single, how_single), goal: { at_least: 4 } },
      compared(`the same on two nodes, ${where}`, seen.two)(seen.one, "on one"),
    );
  }
  for (const started of [node, other, sqlite, ...baselines]) await started.stop();
  return rows;
}

/** Over a network of one millisecond each way. */
async function delayedRows({ url }: PostgresServer): Promise<Row[]> {
  const delay = await startDelay(Number(new URL(url).port), delay_ms);
  const far = through(url, delay.port);
  const node = await startNode(far);
  const baselines = await startBaselines(far);
  const rows: Row[] = [];
  for (const [where, rooms] of kinds) {
    const seen = await sideBySide(rounds, {
      one: () => rate([node], rooms),
      grouped: () => rate([baselines[0]], rooms),
      single: () => rate([baselines[1]], rooms),
    });
    const against = compared(`the same, the database ${delay_ms} ms away, ${where}`, seen.one);
    rows.push(against(seen.grouped, how_grouped), {
      ...against(seen.single, how_single),
      goal: { at_least: 10 },
    });
  }
  for (const started of [node, ...baselines]) await started.stop();
  delay.stop();
  return rows;
}

/** Waits on one node, and the post that ends them on the other. */
async function wakeRow({ url }: PostgresServer): Promise<Row> {
  const [writing, waiting] = [await startNode(url), await startNode(url)];
  try {
    const [other_ms, own_ms] = [
      await wakeOnOther(writing, waiting, hot[0]!),
      await wakeOnOther(waiting, waiting, hot[0]!),
    ];
    return {
      what: `one post wakes ${whole(waits)} waiting meet_read on the other node: until the last is answered`,
      value: `${whole(other_ms)} ms`,
      compared: `${whole(own_ms)} ms on the node of the post`,
      ratio: other_ms / own_ms,
    };
  } finally {
    await writing.stop();
    await waiting.stop();
  }
}

/** Reads from memory before and after many commits behind foreign transactions that stay open. */
async function behindRow({ url }: PostgresServer): Promise<Row> {
  const node = await startNode(url);
  await openRoom(node.url, "behind", 50);
  const other_url = new URL(url);
  other_url.pathname = "/elsewhere";
  const [same, writer] = [new Bun.SQL(url, { max: 1 }), new Bun.SQL(url, { max: 1 })];
  await writer`CREATE DATABASE elsewhere`;
  const other = new Bun.SQL(other_url.href, { max: 1 });
  const read = `GET /api/meet/rooms/behind HTTP/1.1\r\nHost: ${new URL(node.url).host}\r\n\r\n`;
  const measure = () => load(node.url, { requests: [read], connections: 1, warm_seconds: 1, seconds: 5 });
  try {
    const before = await measure();
    for (const foreign of [same, other]) {
      await foreign`BEGIN`;
      await foreign`SELECT pg_current_xact_id()`;
    }
    const before_kib = residentKib(node.pid);
    await writer`SET synchronous_commit = off`;
    await writer.unsafe(
      `DO $$ BEGIN FOR i IN 1..${commits} LOOP INSERT INTO changed_topics (topic) VALUES ('room:' || i); COMMIT; END LOOP; END $$`,
    );
    const after = await measure();
    const grown_mib = (residentKib(node.pid) - before_kib) / 1024;
    return {
      what: `p50 of a read from memory, ${whole(commits)} commits behind an open foreign transaction`,
      value: `${microseconds(after.p50_us)}; the node has grown by ${grown_mib.toFixed(0)} MiB`,
      compared: `${microseconds(before.p50_us)} before`,
      ratio: after.p50_us / before.p50_us,
      goal: { at_most: 2 },
    };
  } finally {
    await Promise.all([same, writer, other].map((client) => client.close()));
    await node.stop();
  }
}
