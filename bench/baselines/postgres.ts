/**
 * Baseline without the service: Bun.serve with the same posts in Postgres through Bun.SQL, in a copy of the service's tables. Either
 * bare INSERTs, those that arrive together in one transaction, as the service groups them ("grouped"): this process knows the
 * number of each post. Or each post in a transaction of its own, which locks and counts in its room, over a pool ("single").
 */

import type { ReservedSQL, TransactionSQL } from "bun";

const [, , url, way, connections, rooms_json] = process.argv as string[];
const sql = new Bun.SQL(url!, { max: Number(connections), bigint: true });
const schema = `bare_${way}_${process.pid}`;
// Rooms and posts as the service has them, with all indexes.
await sql.unsafe(`
  CREATE SCHEMA ${schema};
  CREATE TABLE ${schema}.rooms (LIKE rooms INCLUDING ALL);
  CREATE TABLE ${schema}.posts (LIKE posts INCLUDING ALL);
  ALTER TABLE ${schema}.posts ADD FOREIGN KEY (room) REFERENCES ${schema}.rooms (seq);`);
const tables = { rooms: sql(`${schema}.rooms`), posts: sql(`${schema}.posts`) };

/** A room, with the number and the time of its last post. */
interface Room {
  seq: number;
  posts: number;
  changed_ms: number;
}
const rooms = new Map<string, Room>();
for (const slug of JSON.parse(rooms_json!) as string[]) {
  const at = new Date(0).toISOString();
  const [{ seq }] = await sql`
    INSERT INTO ${tables.rooms} (slug, goal, host, host_claimed, visibility, host_key_sha256, created, last_active, changed)
    VALUES (${slug}, 'A goal', 'Bench', 0, 'public', '', ${at}, ${at}, ${at}) RETURNING seq`;
  rooms.set(slug, { seq: Number(seq), posts: 0, changed_ms: 0 });
}

interface Given {
  slug: string;
  name: string;
  body: string;
}
interface Stored extends Given {
  id: string;
  n: number;
  ts: string;
}

/** The next post of a room, whose times rise. */
function nextPost(given: Given, room: Omit<Room, "seq">): Stored {
  const ts_ms = Math.max(Date.now(), room.changed_ms + 1);
  return { ...given, id: Bun.randomUUIDv7(), n: room.posts + 1, ts: new Date(ts_ms).toISOString() };
}

const insert = (handle: ReservedSQL | TransactionSQL, room: number, { id, n, ts, name, body }: Stored) =>
  handle`
    INSERT INTO ${tables.posts} (id, room, n, ts, name, claimed, body, salt)
    VALUES (${id}, ${room}, ${n}, ${ts}, ${name}, 0, ${body}, ${id.replaceAll("-", "")})`;

const storeSingly = (given: Given): Promise<Stored> =>
  sql.begin(async (transaction) => {
    const [row] = await transaction`
      SELECT seq, posts, changed FROM ${tables.rooms} WHERE slug = ${given.slug} FOR UPDATE`;
    const room = { posts: row.posts, changed_ms: Date.parse(row.changed) };
    const post = nextPost(given, room);
    await Promise.all([
      insert(transaction, Number(row.seq), post),
      transaction`
        UPDATE ${tables.rooms} SET posts = ${post.n}, last_post = ${post.ts}, changed = ${post.ts},
          last_active = ${post.ts}, active_second = SUBSTR(${post.ts}, 1, 19)
        WHERE seq = ${row.seq}`,
    ]);
    return post;
  }) as Promise<Stored>;

let waiting: { room: number; post: Stored; stored: () => void }[] = [];
let groups = 0;
const groups_max = 2;
const group_max = 128;

/** Commits groups of posts while there are any, so many at the same time as the service. The statements are sent without waiting. */
async function commit(): Promise<void> {
  if (groups === groups_max || waiting.length === 0) return;
  groups++;
  const group = waiting.splice(0, group_max);
  const handle = await sql.reserve();
  await Promise.all([
    handle`BEGIN`,
    ...group.map(({ room, post }) => insert(handle, room, post)),
    handle`COMMIT`,
  ]);
  void handle.release();
  for (const { stored } of group) stored();
  groups--;
  void commit();
}

function storeGrouped(given: Given): Promise<Stored> {
  const room = rooms.get(given.slug)!;
  const post = nextPost(given, room);
  room.posts = post.n;
  room.changed_ms = Date.parse(post.ts);
  return new Promise((resolve) => {
    waiting.push({ room: room.seq, post, stored: () => resolve(post) });
    if (waiting.length === 1) setImmediate(() => void commit());
  });
}

const store = way === "single" ? storeSingly : storeGrouped;

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  routes: {
    "/api/meet/rooms/:slug/posts": async (request) => {
      const { name, body } = (await request.json()) as Given;
      return Response.json(await store({ slug: request.params.slug, name, body }), { status: 201 });
    },
  },
});
console.log(`serving at http://127.0.0.1:${server.port}`);
