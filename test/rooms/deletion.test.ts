/** The moment between the deletion of a room and the erasing of its posts. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { deleteRoom, emptyNext, hidePost } from "../../src/rooms/admin_commands.ts";
import { insertPosts, postBeginnings } from "../../src/rooms/posts_store.ts";
import { findRoomBySeq, insertRoom } from "../../src/rooms/store.ts";
import { indexNext } from "../../src/rooms/indexing_store.ts";
import { Connection } from "../../src/storage/sqlite/connection.ts";
import { migrate } from "../../src/storage/sqlite/migrate.ts";
import { newDirectory, removeDirectory } from "../support/service.ts";

const directory = newDirectory();
let tx: Connection;
beforeAll(() => {
  tx = new Connection(join(directory, "wharf.db"), { busy_ms: 0 });
  tx.database.run("PRAGMA foreign_keys = ON");
  migrate(tx.database);
});
afterAll(() => {
  tx.close();
  removeDirectory(directory);
});

const created = "2026-01-01T00:00:00.000Z";
const rules = { audit: async () => {}, settleReport: async () => 0 };
const action = { actor: "owner", reason: "spam", now_ms: Date.parse(created) + 1000 };

test("no post of a deleted room can be read or moderated by its id while it waits to be erased", async () => {
  const slug = "a-room";
  const visibility = "public" as const;
  const opened = {
    slug,
    goal: "A room",
    host: "Ada",
    host_claimed: 0,
    visibility,
    author: null,
    host_key_sha256: "",
    created,
  };
  const { seq } = (await insertRoom(tx, opened))!;
  const said = { name: "Bob", claimed: 0, in_reply_to: null, in_reply_to_n: null, author: null, salt: null };
  const ids = [crypto.randomUUID(), crypto.randomUUID()];
  const places = [1, 2].map((n) => ({ room: slug, n }));
  const posts = ids.map((id, i) => {
    const ts = `2026-01-01T00:00:0${i}.000Z`;
    return { ...said, id, room: seq, n: i + 1, ts, body: "Secret." };
  });
  await insertPosts(tx, posts);
  expect(await postBeginnings(tx, places)).toHaveLength(2);

  while (await indexNext(tx));
  await deleteRoom(tx, rules, { ...action, room: slug, replacement: "unguessable" });
  expect(await postBeginnings(tx, places)).toEqual([]);
  const place = { room: seq, n: 1 };
  const hidden = hidePost(tx, rules, { ...action, id: ids[0]!, place, salt: "00" });
  expect(await hidden.catch(({ code }: { code: string }) => code)).toBe("post_not_found");
  expect(await findRoomBySeq(tx, seq)).toMatchObject({ goal: "", host: "", visibility: "unlisted" });

  while (await emptyNext(tx));
  expect(await tx.all("SELECT id FROM posts")).toEqual([]);
  // A later post gets a seq that was used before, and is indexed nevertheless.
  expect(await tx.get("SELECT through_seq FROM search_progress WHERE source = 'posts'")).toEqual({
    through_seq: 0,
  });
});

/** What a deleted room may keep: nothing that a caller wrote. */
const not_erased =
  "seq host_claimed visibility created changed closed_at posts last_post last_active active_second " +
  "removed_through removed_until removed_at removed_because";

test("a deletion erases every column of a room but its numbers and times", async () => {
  const visibility = "public" as const;
  const room = { slug: "filled", goal: "Filled", host: "Ada", host_claimed: 1, visibility, author: "ada" };
  const { seq } = (await insertRoom(tx, { ...room, host_key_sha256: "ab", created }))!;
  const columns = Object.keys((await findRoomBySeq(tx, seq))!);
  const erased = columns.filter((column) => !not_erased.split(" ").includes(column));
  // A column that is empty would look erased.
  await tx.run(
    `UPDATE rooms SET ${erased.map((column) => `${column} = 'filled'`).join()} WHERE seq = $1`,
    seq,
  );
  await deleteRoom(tx, rules, { ...action, room: "filled", replacement: "unguessable-too" });
  const left: Record<string, unknown> = { ...(await findRoomBySeq(tx, seq)) };
  expect(erased.filter((column) => left[column] === "filled")).toEqual([]);
});
