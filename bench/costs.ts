/** What a post, a read and a stream cost over Postgres: time of processors at the node and at the database, and bytes stored. */

import { readdirSync, readFileSync } from "node:fs";
import { startPostgres } from "../test/support/postgres_server.ts";
import { load, postRequest } from "./load.ts";
import { a_post, newDirectory, openRoom, residentKib, serveCommand, start, tick_us } from "./servers.ts";
import { type Row } from "./table.ts";

const streams = 500;
const events = 100;

/** The numbers of a process from the 4th field on: its parent is the first. Null if it has ended. */
function statOf(pid: number): number[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat
      .slice(stat.lastIndexOf(")") + 4)
      .split(" ")
      .map(Number);
  } catch {
    return null;
  }
}
const ownTicks = (pid: number): number => {
  const stat = statOf(pid);
  return stat ? stat[10]! + stat[11]! : 0;
};
/** The time of a process with all of its children, also of those that have ended, in ticks. */
function ticksBelow(pid: number): number {
  const ended = statOf(pid)!;
  const children = readdirSync("/proc").filter(
    (name) => /^\d+$/.test(name) && statOf(Number(name))?.[0] === pid,
  );
  return (
    ownTicks(pid) +
    ended[12]! +
    ended[13]! +
    children.reduce((sum, child) => sum + ownTicks(Number(child)), 0)
  );
}

export async function benchCosts(): Promise<Row[]> {
  const server = await startPostgres(undefined, { is_durable: true });
  const sql = new Bun.SQL(server.url, { max: 1 });
  const node = await start([...serveCommand(newDirectory()), "--database", server.url]);
  try {
    await openRoom(node.url, "read", 50);
    await openRoom(node.url, "written");
    const [backend] = await sql`SELECT pg_backend_pid() AS pid`;
    const postmaster = statOf(backend.pid)![0]!;
    const stored = async (): Promise<{ size: number; log: number }> => {
      const [row] = await sql`SELECT pg_database_size(current_database())::float8 AS size,
        (pg_current_wal_lsn() - '0/0')::float8 AS log`;
      return row;
    };
    /** The cost of each of what `run` does, whose number it returns. */
    async function cost(run: () => Promise<number>) {
      const [node_before, database_before, before] = [
        ownTicks(node.pid),
        ticksBelow(postmaster),
        await stored(),
      ];
      const count = await run();
      const after = await stored();
      return {
        node_us: ((ownTicks(node.pid) - node_before) * tick_us) / count,
        database_us: ((ticksBelow(postmaster) - database_before) * tick_us) / count,
        bytes: (after.size - before.size) / count,
        log_bytes: (after.log - before.log) / count,
      };
    }
    const calls = (request: string, connections: number) => async () =>
      (await load(node.url, { requests: [request], connections, seconds: 10, warm_seconds: 0 })).answers;
    const write = postRequest(node.url, "/api/meet/rooms/written/posts", a_post);
    const read = `GET /api/meet/rooms/read HTTP/1.1\r\nHost: ${new URL(node.url).host}\r\n\r\n`;

    const post = await cost(calls(write, 64));
    const single = await cost(calls(write, 1));
    const reading = await cost(calls(read, 64));
    const before_kib = residentKib(node.pid);
    const stream = await openStreams(node.url);
    const stream_kib = (residentKib(node.pid) - before_kib) / streams;
    const sending = await cost(async () => {
      const body = JSON.stringify(a_post);
      for (let i = 0; i < events; i++)
        await fetch(`${node.url}/api/meet/rooms/read/posts`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body,
        });
      await stream.sawAll;
      return streams * events;
    });
    stream.end();
    const row = (what: string, { node_us, database_us }: typeof post, more = ""): Row => ({
      what,
      value: `${node_us.toFixed(1)} µs at the node, ${database_us.toFixed(1)} µs at the database${more}`,
    });
    const stored_bytes = `; ${post.bytes.toFixed(0)} bytes stored, ${post.log_bytes.toFixed(0)} bytes of log`;
    return [
      row("processor time of a post over Postgres, 64 connections", post, stored_bytes),
      row("processor time of a post over Postgres, one connection", single),
      row("processor time of a read of a room from memory over Postgres, 64 connections", reading),
      row(
        `processor time of an event of a stream over Postgres, ${streams} streams`,
        sending,
        `; ${stream_kib.toFixed(0)} KiB of memory a stream`,
      ),
    ];
  } finally {
    await node.stop();
    await sql.close();
    await server.stop();
  }
}

/** Opens streams of the room that is read. `sawAll` resolves when each has had all events. */
async function openStreams(url: string) {
  const { hostname, port, host } = new URL(url);
  const done = Promise.withResolvers<void>();
  let events_left = streams * events;
  const opened = await Promise.all(
    Array.from({ length: streams }, async () => {
      const ready = Promise.withResolvers<void>();
      const socket = await Bun.connect({
        hostname,
        port: Number(port),
        socket: {
          data(_socket, bytes) {
            ready.resolve();
            events_left -= bytes.toString().split("\nevent: post").length - 1;
            if (events_left <= 0) done.resolve();
          },
        },
      });
      socket.write(`GET /api/meet/rooms/read/stream HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      await ready.promise;
      return socket;
    }),
  );
  return { sawAll: done.promise, end: () => opened.forEach((socket) => socket.end()) };
}
