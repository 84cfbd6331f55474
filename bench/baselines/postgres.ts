/**
 * Baseline without the service: Bun.serve with bare INSERTs into Postgres through Bun.SQL, each post in a transaction of its own
 * over a pool ("single"), or those that arrive together in one, as the service groups them ("grouped").
 */

import type { ReservedSQL } from "bun";

const [, , url, way, connections] = process.argv as [string, string, string, "single" | "grouped", string];
const sql = new Bun.SQL(url, { max: Number(connections) });
await sql`
  CREATE TABLE IF NOT EXISTS bare_posts (id TEXT PRIMARY KEY, ts TEXT NOT NULL, name TEXT NOT NULL, body TEXT NOT NULL)`;

interface Post {
  name: string;
  body: string;
}
type Stored = Post & { id: string; ts: string };

const insert = (handle: ReservedSQL, { id, ts, name, body }: Stored) =>
  handle`INSERT INTO bare_posts VALUES (${id}, ${ts}, ${name}, ${body})`;

async function storeSingly(post: Stored): Promise<void> {
  await sql.begin((transaction) => insert(transaction as unknown as ReservedSQL, post));
}

let waiting: { post: Stored; stored: () => void }[] = [];
let groups = 0;
const groups_max = 2;
const group_max = 128;

/** Commits groups of posts while there are any, so many at the same time as the service. The statements are sent without waiting. */
async function commit(): Promise<void> {
  if (groups === groups_max || waiting.length === 0) return;
  groups++;
  const group = waiting.splice(0, group_max);
  const handle = await sql.reserve();
  await Promise.all([handle`BEGIN`, ...group.map(({ post }) => insert(handle, post)), handle`COMMIT`]);
  await handle.release();
  for (const { stored } of group) stored();
  groups--;
  void commit();
}

const storeGrouped = (post: Stored): Promise<void> =>
  new Promise((stored) => {
    waiting.push({ post, stored });
    if (waiting.length === 1) setImmediate(() => void commit());
  });

const store = way === "single" ? storeSingly : storeGrouped;

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    const post = (await request.json()) as Post;
    const stored = { id: Bun.randomUUIDv7(), ts: new Date().toISOString(), ...post };
    await store(stored);
    return Response.json(stored, { status: 201 });
  },
});
console.log(`serving at http://127.0.0.1:${server.port}`);
