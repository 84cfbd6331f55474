/** Reads and durable posts while a rule removes old posts of a database with a million of them, against both without. */

import { statSync } from "node:fs";
import { join } from "node:path";
import type { RetentionReport } from "../src/api/admin.ts";
import { fill } from "./filled.ts";
import { getRequest, load, postRequest } from "./load.ts";
import { median } from "./rounds.ts";
import { a_post, allAtRest, newDirectory, openRoom, serveCommand, start } from "./servers.ts";
import { microseconds, whole, type Row } from "./table.ts";

const rooms = 1_000;
const posts_by_room = 1_000;
const posts = rooms * posts_by_room;
const rounds = 3;
const seconds = 10;
/** Posts of each room that a run beside load removes: it takes longer than the load. */
const removed_by_run = 5;
/** Posts of each room that are left in the end. */
const left = 975;
const rates = { reads: 1_000, writes: 300 };
/** Rooms that are posted in while it runs: so many that no rule removes their posts. */
const written = Array.from({ length: 24 }, (_, i) => `written-${i + 1}`);

/** Removes all but the newest posts of each room by the admin API. Returns how many that were. */
async function retain(directory: string, newest: number): Promise<number> {
  const path = `http://localhost/api/admin/retention?posts_by_room=${newest}`;
  const response = await fetch(path, {
    unix: join(directory, "wharf.sock"),
    method: "POST",
    timeout: false,
  } as object);
  return ((await response.json()) as RetentionReport).counts.posts!;
}

export async function benchRetention(): Promise<Row[]> {
  const directory = newDirectory();
  const first_ms = Date.now() - posts;
  await fill(directory, { rooms, posts_by_room, timeOf: (seq) => first_ms + seq });
  const file = join(directory, "wharf.db");
  const server = await start(serveCommand(directory));
  await openRoom(server.url, "read", 50);
  for (const slug of written) await openRoom(server.url, slug);

  /** The p99 of reads and of posts, in microseconds. */
  async function measured(): Promise<{ reads: number; writes: number }> {
    const at = (requests: string[], rate: number) =>
      load(server.url, { requests, connections: 16, rate, seconds });
    const posting = written.map((slug) => postRequest(server.url, `/api/meet/rooms/${slug}/posts`, a_post));
    const [reads, writes] = await Promise.all([
      at([getRequest(server.url, "/api/meet/rooms/read")], rates.reads),
      at(posting, rates.writes),
    ]);
    return { reads: reads.p99_us, writes: writes.p99_us };
  }

  type Measured = Awaited<ReturnType<typeof measured>>;
  const seen: Record<"without" | "beside", Measured[]> = { without: [], beside: [] };
  for (let round = 1; round <= rounds; round++) {
    await allAtRest();
    seen.without.push(await measured());
    await allAtRest();
    const run = retain(directory, posts_by_room - round * removed_by_run);
    seen.beside.push(await measured());
    await run;
  }
  const bytes_before = statSync(file).size;
  const began_ms = performance.now();
  const rest = await retain(directory, left);
  const rest_seconds = (performance.now() - began_ms) / 1000;
  await server.stop();
  const bytes_after = statSync(file).size;

  const p99 = (kind: "reads" | "writes", when: "without" | "beside") =>
    median(seen[when].map((values) => values[kind]));
  const row = (kind: "reads" | "writes", what: string): Row => ({
    what: `${what} beside the removal of old posts, 1,000,000 posts in the database (p99)`,
    value: microseconds(p99(kind, "beside")),
    compared: `${microseconds(p99(kind, "without"))} without`,
    ratio: p99(kind, "beside") / p99(kind, "without"),
    goal: { at_most: 3 },
  });
  return [
    row("reads", `${whole(rates.reads)} reads/s`),
    row("writes", `${whole(rates.writes)} durable posts/s`),
    {
      what: `size of the database after ${whole(rest)} of its 1,000,000 posts were removed (${whole(rest / rest_seconds)}/s at rest)`,
      value: `${whole(bytes_after / 1e6)} MB`,
      compared: `${whole(bytes_before / 1e6)} MB before`,
      bound: { text: "smaller", is_met: bytes_after < bytes_before },
    },
  ];
}
