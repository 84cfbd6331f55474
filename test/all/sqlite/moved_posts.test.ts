/** The migration that moves all posts continues after a kill at any moment, and loses and changes none. */

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { idText } from "../../../src/storage/packed.ts";
import { migrate, schemaVersion } from "../../../src/storage/sqlite/migrate.ts";
import { integrityOf } from "../../support/backups.ts";
import { lacks_binary } from "../../support/binary.ts";
import { logWritten, runUntil } from "../../support/killed.ts";
import { testRandom } from "../../support/seed.ts";
import { newDirectory, removeDirectory, startBinary } from "../../support/service.ts";

const kills = Number(process.env.WHARF_TEST_KILLS ?? 5);
const posts = Number(process.env.WHARF_TEST_OPERATIONS ?? 120_000);
const rooms = 40;
const start_ms = Date.parse("2026-03-01T12:00:00.000Z");
/** The schema version before that migration. */
const version = 26;

/** The members of a post that a reader sees, as one text. */
type Seen = [id: string, room: number, n: number, ts: string, salt: string, body: string];

/** A data directory of that version with many posts, and these. */
function make(): { directory: string; seen: Seen[] } {
  const directory = newDirectory();
  const database = new Database(join(directory, "wharf.db"), { create: true });
  database.run("PRAGMA auto_vacuum = INCREMENTAL");
  database.run("PRAGMA journal_mode = WAL");
  database.run("PRAGMA synchronous = OFF");
  const seen: Seen[] = [];
  database.transaction(() => {
    migrate(database, version);
    const changed = new Date(start_ms + posts).toISOString();
    for (let room = 1; room <= rooms; room++) {
      database.run(
        "INSERT INTO rooms (seq, slug, goal, host, host_claimed, visibility, host_key_sha256, created, posts, last_post, last_active, changed) " +
          "VALUES (?1, ?2, 'A goal', 'Ada', 0, 'public', '', ?3, ?4, ?5, ?5, ?5)",
        [room, `room-${room}`, new Date(start_ms).toISOString(), posts / rooms, changed],
      );
    }
    const insert = database.prepare(
      "INSERT INTO posts (id, room, n, ts, salt, body, name, claimed) VALUES (?, ?, ?, ?, ?, ?, 'Ada', 0)",
    );
    for (let i = 0; i < posts; i++) {
      const ts_ms = start_ms + i + 1;
      const post: Seen = [
        Bun.randomUUIDv7("hex", ts_ms - (i % 10 === 0 ? 60_000 : i % 3)),
        (i % rooms) + 1,
        Math.floor(i / rooms) + 1,
        new Date(ts_ms).toISOString(),
        i.toString(16).padStart(32, "0"),
        `Post ${i}, ünïcode ✓`,
      ];
      insert.run(...post);
      seen.push(post);
    }
    database.run(
      "INSERT INTO hidden_posts (post, body, hidden_at) SELECT seq, body, ts FROM posts WHERE n = 7",
    );
    insert.finalize();
  })();
  database.close();
  return { directory, seen };
}

function seenIn(file: string): Seen[] {
  const database = new Database(file, { readonly: true });
  const rows = database.query("SELECT id, room, n, ts, salt, body FROM posts ORDER BY seq").values() as [
    Uint8Array,
    number,
    number,
    number,
    Uint8Array,
    string,
  ][];
  const seen = rows.map(([id, room, n, ts, salt, body]): Seen => {
    return [idText(id), room, n, new Date(ts).toISOString(), salt.toHex(), body];
  });
  database.close();
  return seen;
}

/** The schema version of a database, and whether posts are missing in its old table. */
function stateOf(file: string): string {
  const database = new Database(file, { readonly: true });
  try {
    if (schemaVersion(database) === version) return "not begun";
    const begun = database.query("SELECT 1 FROM sqlite_schema WHERE name = 'unfinished_migration'").get();
    return begun ? "begun" : "finished";
  } finally {
    database.close();
  }
}

/** Resolves when this many pieces were seen to be committed, and their log to be emptied; for 0 when the log has bytes. */
async function pieceMoved(directory: string, pieces: number): Promise<void> {
  await logWritten(directory);
  const log = join(directory, "wharf.db-wal");
  const end = performance.now() + 5_000;
  for (let moved = 0; moved < pieces && performance.now() < end; moved++) {
    while (statSync(log, { throwIfNoEntry: false })?.size && performance.now() < end) await Bun.sleep(1);
    await logWritten(directory);
  }
}

test.skipIf(lacks_binary)(
  `moves ${posts} posts although it is killed ${kills} times or until a kill hits the migration`,
  async () => {
    const { below } = testRandom("moved posts");
    let { directory, seen } = make();
    const fileIn = () => join(directory, "wharf.db");
    const states: Record<string, number> = {};
    let kill = 0;
    // What a kill hits depends on the machine.
    for (; kill < kills || (!states.begun && kill < 10 * kills); kill++) {
      await runUntil(
        ["serve", "--port", "0", "--data-dir", directory],
        pieceMoved(directory, kill % 2).then(() => Bun.sleep(below(20))),
      );
      const state = stateOf(fileIn());
      states[state] = (states[state] ?? 0) + 1;
      if (state !== "finished" || states.begun) continue;
      expect(seenIn(fileIn())).toEqual(seen);
      removeDirectory(directory);
      ({ directory, seen } = make());
    }
    const file = fileIn();
    const service = await startBinary({ data_dir: directory });
    const room = `${service.url}/api/meet/rooms/room-1`;
    const [first] = seen;
    const read = await (await fetch(`${room}?since=${first![0]}&limit=1`)).json();
    expect(read).toMatchObject({ posts: [{ n: 2, id: seen[rooms]![0], ts: seen[rooms]![3] }] });
    await service.stop();
    expect(seenIn(file)).toEqual(seen);
    expect(integrityOf(file)).toBe("ok");
    console.log(`after ${kill} kills: ${JSON.stringify(states)}`);
    expect(states.begun).toBeGreaterThan(0);
    removeDirectory(directory);
  },
  600_000,
);
