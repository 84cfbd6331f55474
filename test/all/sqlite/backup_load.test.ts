/** Backups under full write load: each is whole, and holds every post that was acknowledged before it began. */

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Post } from "../../../src/api/rooms/rooms.ts";
import { idText } from "../../../src/storage/packed.ts";
import { binary, lacks_binary } from "../../support/binary.ts";
import { integrityOf } from "../../support/backups.ts";
import { Ledger, openRoom, Site, writeOn } from "../../support/load.ts";
import { newDirectory, removeDirectory, startBinary, type TestService } from "../../support/service.ts";

const backups = 10;
const writers = 64;
const rooms = 8;
const body_chars = 100;

let service: TestService;
let folder: string;
beforeAll(async () => {
  folder = newDirectory();
  if (!lacks_binary) service = await startBinary();
});
afterAll(async () => {
  await service?.stop();
  removeDirectory(folder);
});

/** Runs a command of the binary. Expects it to succeed. */
async function run(...args: string[]): Promise<void> {
  const child = Bun.spawn([binary(), ...args], { stdout: "ignore", stderr: "pipe" });
  const [output, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  expect({ args, output, code }).toEqual({ args, output: "", code: 0 });
}

/** The posts that a database file lacks, or has with another text. */
function lackingIn(file: string, posts: Post[]): string[] {
  const database = new Database(file, { readonly: true });
  try {
    const rows = database.query("SELECT id, body FROM posts").values() as [Uint8Array, string][];
    const bodies = new Map(rows.map(([id, body]) => [idText(id), body]));
    return posts.filter(({ id, body }) => bodies.get(id) !== body).map(({ id }) => id);
  } finally {
    database.close();
  }
}

test.skipIf(lacks_binary)(
  `${backups} backups beside ${writers} writers restore with every acknowledged post`,
  async () => {
    const site = new Site();
    site.open(service.url);
    const slugs = await Promise.all(Array.from({ length: rooms }, () => openRoom(service.url)));
    const ledger = new Ledger();
    const writing = Array.from({ length: writers }, (_, i) =>
      writeOn(site, slugs[i % rooms]!, `writer-${i}`, ledger, { body_chars, resend: false }),
    );
    await ledger.more(2_000);
    let during = 0;
    for (let i = 0; i < backups; i++) {
      const before = [...ledger.sent.values()].filter((post) => post !== null);
      const file = join(folder, `${i}.backup`);
      await run("backup", file, "--data-dir", service.directory, ...(i % 2 === 1 ? ["--compress"] : []));
      const acknowledged_during = ledger.acknowledged - before.length;
      expect(acknowledged_during).toBeGreaterThan(0);
      during += acknowledged_during;
      const data_dir = join(folder, `restored-${i}`);
      await run("restore", file, "--data-dir", data_dir);
      const database = join(data_dir, "wharf.db");
      expect(integrityOf(database)).toBe("ok");
      expect({ backup: i, lacking: lackingIn(database, before).slice(0, 5) }).toEqual({
        backup: i,
        lacking: [],
      });
      rmSync(file);
      removeDirectory(data_dir);
    }
    site.ended = true;
    await Promise.all(writing);
    expect([...ledger.refused]).toEqual([]);
    console.log(`${ledger.acknowledged} posts acknowledged, ${during} of them during a backup, none missing`);
  },
  300_000,
);
