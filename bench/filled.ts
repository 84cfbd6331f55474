/** Databases with many indexed posts, as the service would have written them. */

import { join } from "node:path";
import { isoTime } from "../src/core/clock.ts";
import { findNumberedPost, insertPosts } from "../src/rooms/posts_store.ts";
import { markRemoved } from "../src/rooms/retention_store.ts";
import { Connection } from "../src/storage/sqlite/connection.ts";
import { migrate } from "../src/storage/sqlite/migrate.ts";
import { a_post } from "./servers.ts";

interface Filled {
  /** The rooms `room-1` and so on. */
  rooms: number;
  posts_by_room: number;
  /** The unix time of a post in milliseconds, by its number among all posts. Never less than that of the post before. */
  timeOf: (seq: number) => number;
}

/** Changes the database in a directory that no service uses, in one transaction that is not durable. */
export async function change(directory: string, run: (tx: Connection) => Promise<void>): Promise<void> {
  const tx = new Connection(join(directory, "wharf.db"), { busy_ms: 0 });
  for (const pragma of ["auto_vacuum = INCREMENTAL", "journal_mode = MEMORY", "synchronous = OFF"]) {
    tx.database.run(`PRAGMA ${pragma}`);
  }
  tx.database.run("BEGIN");
  await run(tx);
  tx.database.run("COMMIT");
  tx.close();
}

/**
 * Removes the posts of a room up to the number `through`: what retention leaves, but for the search index, which has their words
 * still. Retention itself would take an hour for half a million posts.
 */
export const removeThrough = (directory: string, room: number, through: number): Promise<void> =>
  change(directory, async (tx) => {
    const last = (await findNumberedPost(tx, room, through))!;
    await tx.run("DELETE FROM posts WHERE room = $1 AND n <= $2", room, through);
    await markRemoved(tx, room, last, isoTime(Date.now()), "posts_by_room");
  });

/** Makes the database in a directory that has none. The posts come in turn to each room. */
export const fill = (directory: string, filled: Filled): Promise<void> =>
  change(directory, (tx) => fillIn(tx, filled));

async function fillIn(tx: Connection, { rooms, posts_by_room, timeOf }: Filled): Promise<void> {
  const posts = rooms * posts_by_room;
  migrate(tx.database);
  const latest = isoTime(timeOf(posts));
  for (let room = 1; room <= rooms; room++) {
    await tx.run(
      "INSERT INTO rooms (slug, goal, host, host_claimed, visibility, host_key_sha256, created, posts, last_post, last_active, changed) " +
        "VALUES ($1, $1, 'Bench', 0, 'public', '', $2, $3, $4, $4, $4)",
      `room-${room}`,
      isoTime(timeOf(0)),
      posts_by_room,
      latest,
    );
  }
  const index = tx.textIndex("search");
  const words = a_post.body.split(" ");
  for (let seq = 1; seq <= posts; seq++) {
    const room = 1 + (seq % rooms);
    const ts_ms = timeOf(seq);
    const body = `${a_post.body} ${words[seq % words.length]}${seq % 5_000} ${seq}`;
    await insertPosts(tx, [
      {
        id: Bun.randomUUIDv7("hex", ts_ms),
        room,
        n: Math.ceil(seq / rooms),
        ts: isoTime(ts_ms),
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
}
