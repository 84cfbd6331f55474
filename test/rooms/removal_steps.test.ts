/** How many posts one command removes: few, so that others write in between. */

import { expect, test } from "bun:test";
import { insertPosts } from "../../src/rooms/posts_store.ts";
import { firstPosts } from "../../src/rooms/retention_store.ts";
import { Connection } from "../../src/storage/sqlite/connection.ts";
import { migrate } from "../../src/storage/sqlite/migrate.ts";
import { room_internal_limits } from "../../src/rooms/limits.ts";

test("a command removes few posts when they are long: their words in the index take the time", async () => {
  const { removed_chars_per_step: chars, posts_removed_per_step: posts } = room_internal_limits;
  const tx = new Connection(":memory:", { busy_ms: 0 });
  migrate(tx.database);
  tx.database.run("PRAGMA foreign_keys = OFF");
  const fill = async (room: number, lengths: number[]) => {
    const ts = "2026-03-01T12:00:00.000Z";
    const said = {
      ts,
      name: "Bob",
      claimed: 0,
      author: null,
      in_reply_to: null,
      in_reply_to_n: null,
      salt: null,
    };
    const id = () => crypto.randomUUID();
    await insertPosts(
      tx,
      lengths.map((length, i) => ({ ...said, id: id(), room, n: i + 1, body: "x".repeat(length) })),
    );
  };
  const numbersOf = async (room: number, through?: number) =>
    (await firstPosts(tx, room, through)).map(({ n }) => n);
  await fill(1, [chars - 1, 1, chars, 1]);
  await fill(2, [chars * 2, 1]);
  await fill(4, [chars - 1, 2]);
  await fill(3, Array<number>(posts + 1).fill(1));
  expect(await Promise.all([numbersOf(1), numbersOf(1, 1), numbersOf(2)])).toEqual([[1, 2], [1], [1]]);
  // Together they would be longer.
  expect(await numbersOf(4)).toEqual([1]);
  expect(await numbersOf(3)).toHaveLength(posts);
  tx.close();
});
