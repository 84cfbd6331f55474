/** Reads and durable posts while a rule removes old posts of a database with a million of them, against both without. */

import { statSync } from "node:fs";
import { join } from "node:path";
import { isoTime } from "../src/core/clock.ts";
import type { RetentionReport } from "../src/api/admin.ts";
import { insertPosts } from "../src/rooms/posts_store.ts";
import { Connection } from "../src/storage/sqlite/connection.ts";
import { migrate } from "../src/storage/sqlite/migrate.ts";
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

/** Fills a database with rooms and indexed posts, as the service would have. */
async function fill(directory: string): Promise<void> {
  const tx = new Connection(join(directory, "wharf.db"), { busy_ms: 0 });
  const { database } = tx;
  for (const pragma of ["auto_vacuum = INCREMENTAL", "journal_mode = MEMORY", "synchronous = OFF"]) {
    database.run(`PRAGMA ${pragma}`);
  }
  database.run("BEGIN");
  migrate(database);
  const began_ms = Date.now() - posts;
  const latest = isoTime(began_ms + posts);
  for (let room = 1; room <= rooms; room++) {
    await tx.run(
      "INSERT INTO rooms (slug, goal, host, host_claimed, visibility, host_key_sha256, created, posts, last_post, last_active, changed) " +
        "VALUES ($1, $1, 'Bench', 0, 'public', '', $2, $3, $4, $4, $4)",
      `room-${room}`,
      isoTime(began_ms),
      posts_by_room,
      latest,
    );
  }
  const index = tx.textIndex("search");
  const words = a_post.body.split(" ");
  for (let seq = 1; seq <= posts; seq++) {
    const room = 1 + (seq % rooms);
    const ts = isoTime(began_ms + seq);
    const body = `${a_post.body} ${words[seq % words.length]}${seq % 5_000} ${seq}`;
    await insertPosts(tx, [
      {
        id: Bun.randomUUIDv7("hex", began_ms + seq),
        room,
        n: Math.ceil(seq / rooms),
        ts,
        name: "Bench",
        claimed: 0,
        author: null,
        in_reply_to: null,
        in_reply_to_n: null,
        body,
        salt: "00112233445566778899aabbccddeeff",
      },
    ]);
    await index.add([{ document: seq, text: body, group: `room${room}` }]);
  }
  await tx.run(
    "INSERT INTO search_progress (source, through_seq) VALUES ('posts', $1), ('rooms', $2)",
    posts,
    rooms,
  );
  await tx.run("UPDATE counters SET value = $1 WHERE name = 'rooms_open_public'", rooms);
  database.run("COMMIT");
  tx.close();
}

/** Removes all but the newest posts of each room by the admin API. */
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
  await fill(directory);
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
