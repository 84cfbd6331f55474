/**
 * Durable posts in Postgres, on one node and on two: against SQLite, bare grouped INSERTs and one transaction a post, also over a
 * network of one millisecond. Then waits on one node for a post on the other.
 */

import { startPostgres, type PostgresServer } from "../test/support/postgres_server.ts";
import { startDelay } from "./delay.ts";
import { compileEntry, load, postRequest } from "./load.ts";
import { sideBySide } from "./rounds.ts";
import { a_post, cleanUp, newDirectory, openRoom, serveCommand, start, type Server } from "./servers.ts";
import { machine, perSecond, table, whole, type Row } from "./table.ts";
import { waits, wakeOnOther } from "./waits.ts";

const rounds = 3;
const connections = 64;
const delay_ms = 1;
const hot = ["written"];
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
the machine's cores with the service. Posts are measured as above. The bare INSERTs (\`bench/baselines/postgres.ts\`) are answered
over HTTP by Bun.serve, and have a table with one index. Posts in 1,000 rooms are under 1,000 names.`;

/** The section about Postgres. */
export async function postgresSection(): Promise<string> {
  console.error("measuring postgres …");
  const where = machine();
  const server = await startPostgres(undefined, { is_durable: true });
  try {
    const rows = [...(await postRows(server)), ...(await delayedRows(server)), await wakeRow(server)];
    return `${heading}\n\n${where}\n\n${table(rows)}\n\n${how}`;
  } finally {
    await cleanUp();
    await server.stop();
  }
}

async function postRows({ url }: PostgresServer): Promise<Row[]> {
  const baseline = compileEntry("postgres.ts");
  const bare = (way: "grouped" | "single") => start([baseline, url, way, String(connections)]);
  const [node, other] = [await openRooms(await startNode(url)), await startNode(url)];
  const sqlite = await openRooms(await start(serveCommand(newDirectory())));
  const [grouped, single] = [await bare("grouped"), await bare("single")];
  const servers = [node, other, sqlite, grouped, single];
  try {
    const seen = await sideBySide(rounds, {
      hot: () => rate([node], hot),
      hot_sqlite: () => rate([sqlite], hot),
      hot_two: () => rate([node, other], hot),
      many: () => rate([node], many),
      many_sqlite: () => rate([sqlite], many),
      many_two: () => rate([node, other], many),
      grouped: () => rate([grouped], hot),
      single: () => rate([single], hot),
    });
    return (["hot", "many"] as const).flatMap((kind) => {
      const where = kind === "hot" ? "one room" : `${whole(many.length)} rooms`;
      const what = `durable posts in Postgres, ${connections} connections, ${where}`;
      const value = perSecond(seen[kind]);
      const two = seen[`${kind}_two`];
      return [
        {
          what,
          value,
          compared: `${perSecond(seen[`${kind}_sqlite`])} with SQLite`,
          ratio: seen[kind] / seen[`${kind}_sqlite`],
        },
        {
          what,
          value,
          compared: `${perSecond(seen.grouped)} bare INSERTs through Bun.SQL, grouped in the same way`,
          ratio: seen[kind] / seen.grouped,
          goal: { at_least: 0.6 },
        },
        {
          what,
          value,
          compared: `${perSecond(seen.single)} bare, one transaction a post, over a pool of ${connections}`,
          ratio: seen[kind] / seen.single,
          goal: { at_least: 4 },
        },
        {
          what: `the same on two nodes, ${where}`,
          value: perSecond(two),
          compared: `${value} on one`,
          ratio: two / seen[kind],
        },
      ];
    });
  } finally {
    for (const started of servers) await started.stop();
  }
}

/** Over a network of one millisecond each way. */
async function delayedRows({ url }: PostgresServer): Promise<Row[]> {
  const delay = await startDelay(Number(new URL(url).port), delay_ms);
  const far = through(url, delay.port);
  const node = await startNode(far);
  const single = await start([compileEntry("postgres.ts"), far, "single", String(connections)]);
  try {
    const seen = await sideBySide(rounds, {
      hot: () => rate([node], hot),
      many: () => rate([node], many),
      single: () => rate([single], hot),
    });
    return (["hot", "many"] as const).map((kind) => ({
      what: `the same, the database ${delay_ms} ms away, ${kind === "hot" ? "one room" : `${whole(many.length)} rooms`}`,
      value: perSecond(seen[kind]),
      compared: `${perSecond(seen.single)} bare, one transaction a post, over a pool of ${connections}`,
      ratio: seen[kind] / seen.single,
      goal: { at_least: 10 },
    }));
  } finally {
    await node.stop();
    await single.stop();
    delay.stop();
  }
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
