/** `wharf copy` of 1,000,000 posts into Postgres and back, by the binary: equal, and how long and how much memory it takes. */

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { binary } from "../support/binary.ts";
import { openRoom } from "../support/load.ts";
import { startPostgres, type PostgresServer } from "../support/postgres_server.ts";
import { newDirectory, removeDirectory, startBinary } from "../support/service.ts";

const posts = Number(process.env["WHARF_TEST_OPERATIONS"] ?? 1_000_000);
const rooms = 100;
const memory_max = 300_000_000;

const root = newDirectory();
const [original, back] = [join(root, "original"), join(root, "back")];
let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(async () => {
  await server.stop();
  removeDirectory(root);
});

/** Makes a data directory with rooms of the service and posts that are inserted into them. */
async function make(): Promise<void> {
  const service = await startBinary({ data_dir: original });
  for (let room = 0; room < rooms; room++) await openRoom(service.url, `Room ${room} of a large instance`);
  await service.stop();
  const database = new Database(join(original, "wharf.db"));
  database.run(
    `WITH RECURSIVE numbers (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM numbers WHERE i + 1 < ${posts}),
       placed AS (SELECT i, i / ${rooms} + 1 AS n, (SELECT MIN(seq) FROM rooms) + i % ${rooms} AS room FROM numbers)
     INSERT INTO posts (id, room, ts, name, claimed, body, commitment, salt, n, id_indexed)
     SELECT randomblob(16), room, 1577836800000 + n * 1000, 'agent ' || (i % 17), 0,
       'Post ' || n || ' of this room: ' || hex(randomblob(10 + i % 90)) || ' — ünïcode ✓', lower(hex(randomblob(32))),
       randomblob(16), n, 1 FROM placed`,
  );
  database.run(
    "UPDATE rooms SET posts = (SELECT COUNT(*) FROM posts WHERE room = rooms.seq), last_post = (SELECT strftime('%Y-%m-%dT%H:%M:%fZ', MAX(ts) / 1000.0, 'unixepoch') FROM posts WHERE room = rooms.seq)",
  );
  database.run("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
}

/** A hash of the rows of each table that is data. */
function hashesOf(directory: string): Record<string, string> {
  const database = new Database(join(directory, "wharf.db"), { readonly: true, safeIntegers: true });
  const tables = database
    .query(
      `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'
        AND name NOT LIKE '%search%' AND name <> 'place'`,
    )
    .values()
    .flat() as string[];
  const hashes = tables.map((table) => {
    const columns = database.query(`SELECT COUNT(*) FROM pragma_table_info('${table}')`).values()[0]![0];
    const order = Array.from({ length: Number(columns) }, (_, i) => i + 1).join();
    const hash = new Bun.CryptoHasher("sha256");
    for (const row of database.query(`SELECT * FROM "${table}" ORDER BY ${order}`).iterate())
      hash.update(`${Object.values(row as object).join("\0")}\n`);
    return [table, hash.digest("hex")];
  });
  database.close();
  return Object.fromEntries(hashes) as Record<string, string>;
}

/** Runs `wharf copy`. Prints and returns its peak memory in bytes. */
async function copy(from: string, to: string): Promise<number> {
  const began = performance.now();
  const child = Bun.spawn([binary(), "copy", "--from", from, "--to", to], { stdout: "pipe", stderr: "pipe" });
  const [output, errors, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  expect([status, errors]).toEqual([0, ""]);
  const { maxRSS, cpuTime } = child.resourceUsage()!;
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  const cpu_seconds = (Number(cpuTime.total) / 1e6).toFixed(0);
  console.log(
    `${output.split("\n")[0]} ${seconds} s, ${cpu_seconds} s of processor, ${(maxRSS / 1e6).toFixed(0)} MB at most`,
  );
  return maxRSS;
}

test(`copies ${posts} posts there and back, equal and in bounded memory`, async () => {
  await make();
  const before = hashesOf(original);
  console.log(`wharf.db has ${(statSync(join(original, "wharf.db")).size / 1e6).toFixed(0)} MB`);
  const there = await copy(original, server.url);
  const back_again = await copy(server.url, back);
  expect(hashesOf(back)).toEqual(before);
  expect(Math.max(there, back_again)).toBeLessThan(memory_max);
}, 3_600_000);
