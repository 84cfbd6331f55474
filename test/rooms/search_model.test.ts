/** Whatever becomes of posts, before and after they are indexed: the index has those that everybody may find, and is whole. */

import { expect, test } from "bun:test";
import {
  deleteRoom,
  emptyNext,
  erasePost,
  hidePost,
  removePosts,
  restorePost,
} from "../../src/rooms/admin_commands.ts";
import { insertPosts, findNumberedPost } from "../../src/rooms/posts_store.ts";
import { withdrawText } from "../../src/rooms/redaction.ts";
import { indexNext } from "../../src/rooms/indexing_store.ts";
import { findRoomBySeq, insertRoom } from "../../src/rooms/store.ts";
import { Connection } from "../../src/storage/sqlite/connection.ts";
import { migrate } from "../../src/storage/sqlite/migrate.ts";
import { testRandom } from "../support/seed.ts";

const begin_ms = Date.parse("2026-01-01T00:00:00.000Z");
const rules = { audit: async () => {}, settleReport: async () => 0 };
const random = testRandom("search model");

test("finds the visible posts of public rooms, after any changes in any order", async () => {
  const tx = new Connection(":memory:", { busy_ms: 0 });
  tx.database.run("PRAGMA foreign_keys = ON");
  migrate(tx.database);
  let now_ms = begin_ms;
  let count = 0;
  /** By slug: the seq, and the number of the latest post. */
  const rooms = new Map<string, { seq: number; n: number }>();
  const action = () => ({ actor: "owner", reason: "spam", now_ms: (now_ms += 1000) });
  const time = () => new Date((now_ms += 1000)).toISOString();

  async function openRoom(): Promise<void> {
    const slug = `room-${++count}`;
    const { seq } = (await insertRoom(tx, {
      slug,
      goal: `A goal with lindwurm, #${count}`,
      host: "Ada",
      host_claimed: 0,
      visibility: random.below(4) === 0 ? "unlisted" : "public",
      author: null,
      host_key_sha256: "",
      created: time(),
    }))!;
    rooms.set(slug, { seq, n: 0 });
  }
  const some = async (sql: string) => {
    const rows = await tx.all<{ room: number; n: number }>(sql);
    const place = rows.length > 0 ? random.oneOf(rows) : null;
    const post = place && (await findNumberedPost(tx, place.room, place.n));
    return post ? { id: post.id, place, salt: "00".repeat(16) } : null;
  };
  const aRoom = () => (rooms.size > 0 ? random.oneOf([...rooms]) : null);
  const steps = {
    async say() {
      const room = aRoom();
      if (!room) return openRoom();
      const [, { seq }] = room;
      const id = Bun.randomUUIDv7("hex", now_ms);
      const said = {
        name: "Bob",
        claimed: 0,
        in_reply_to: null,
        in_reply_to_n: null,
        author: null,
        salt: null,
      };
      const body = random.oneOf(["nixenwort, over\u0305line", "nixenwort #room1 in common", "a nixenwort"]);
      await insertPosts(tx, [{ ...said, id, room: seq, n: ++room[1].n, ts: time(), body }]);
    },
    openRoom,
    index: () => indexNext(tx),
    async hide() {
      const post = await some(
        "SELECT room, n FROM posts WHERE room IN (SELECT seq FROM rooms WHERE goal <> '')",
      );
      if (post) await hidePost(tx, rules, { ...action(), ...post });
    },
    async restore() {
      const post = await some(
        "SELECT room, n FROM posts JOIN hidden_posts ON post = posts.seq WHERE room IN (SELECT seq FROM rooms WHERE goal <> '')",
      );
      if (post) await restorePost(tx, rules, { ...action(), ...post });
    },
    async erase() {
      const post = await some(
        "SELECT room, n FROM posts WHERE room IN (SELECT seq FROM rooms WHERE goal <> '')",
      );
      if (post) await erasePost(tx, rules, { ...action(), ...post });
    },
    async redact() {
      const room = aRoom();
      const post =
        room &&
        (await tx.get<Parameters<typeof withdrawText>[3]>(
          "SELECT * FROM posts WHERE room = $1 AND redacted IS NULL LIMIT 1",
          room[1].seq,
        ));
      if (!post) return;
      const row = (await findRoomBySeq(tx, room[1].seq))!;
      await withdrawText(tx, rules, row, { ...post, salt: "00" }, "host", time());
    },
    async deleteRoom() {
      const room = random.below(4) === 0 ? aRoom() : null;
      if (!room) return;
      await deleteRoom(tx, rules, { ...action(), room: room[0], replacement: `gone-${++count}` });
      rooms.delete(room[0]);
    },
    empty: () => emptyNext(tx),
    async retain() {
      const room = aRoom();
      if (!room) return;
      const [, { seq, n }] = room;
      await removePosts(tx, { room: seq, through: random.below(n + 1), because: "a rule", now_ms: now_ms++ });
    },
  };
  const usual = ["say", "say", "say", "say", "index"] as const;
  const kinds = [...usual, ...(Object.keys(steps) as (keyof typeof steps)[])];

  for (let step = 0; step < 1_500; step++) {
    tx.database.run("BEGIN");
    await steps[random.oneOf(kinds)]();
    tx.database.run("COMMIT");
    if (step % 100 !== 99) continue;
    while (await emptyNext(tx));
    while (await indexNext(tx));
    tx.database.run("INSERT INTO search (search) VALUES ('integrity-check')");
    const { table, document, matches, find } = tx.textIndex("search");
    const found = async (word: string) =>
      (
        await tx.all<{ document: number }>(
          `SELECT ${document} AS document FROM ${table} WHERE ${matches("$1")} ORDER BY ${document}`,
          find([word]).query,
        )
      ).map((hit) => hit.document);
    const visible = await tx.all<{ seq: number }>(
      "SELECT posts.seq FROM posts JOIN rooms ON rooms.seq = room WHERE visibility = 'public' AND body IS NOT NULL ORDER BY 1",
    );
    expect(await found("nixenwort")).toEqual(visible.map(({ seq }) => seq));
    const open = await tx.all<{ seq: number }>(
      "SELECT seq FROM rooms WHERE visibility = 'public' ORDER BY 1",
    );
    expect((await found("lindwurm")).map((goal) => goal - 2 ** 52)).toEqual(open.map(({ seq }) => seq));
  }
  tx.close();
});
