/** Acknowledged posts survive a power cut that leaves the unsynced writes torn and out of order. */

import { Database } from "bun:sqlite";
import { expect } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { Disk, syncing, testWithDisk } from "../../support/disk.ts";
import { expectStored, Ledger, openRoom, readAll, say, Site, writeOn } from "../../support/load.ts";
import { testRandom, type TestRandom } from "../../support/seed.ts";
import { newDirectory, removeDirectory, startBinary } from "../../support/service.ts";

const cuts = Number(process.env.WHARF_TEST_CUTS ?? 4);
const writers = 32;

/** Runs writers on a service whose power fails after a random number of writes and syncs. Returns what is lost. */
async function lostInOneCut(
  { below }: TestRandom,
  mode: number,
): Promise<{ lost: string[]; acknowledged: number }> {
  const disk = await Disk.make();
  const data_dir = newDirectory();
  disk.set("keep", 1);
  disk.set("syncing", mode);
  disk.set("seed", below(2 ** 31));
  const service = await startBinary({ data_dir }, disk.environment);
  const site = new Site();
  site.open(service.url);
  const room = await openRoom(service.url);
  const ledger = new Ledger();
  const body_chars = 50 + below(3_900);
  const writing = Array.from({ length: writers }, (_, i) =>
    writeOn(site, room, `writer-${i}`, ledger, { body_chars, resend: false }),
  );
  await ledger.more(100);
  disk.set("cut_after", 1 + below(60_000));
  await service.process.exited;
  expect(service.process.signalCode).toBe("SIGKILL");
  site.ended = true;
  site.open(service.url);
  await Promise.all(writing);
  // The index of the log is never flushed: a power cut leaves it as it was at any moment, or not at all.
  if (below(2) === 0) rmSync(join(data_dir, "wharf.db-shm"), { force: true });
  const lost = await lostAfterRestart(data_dir, room, ledger);
  disk.remove();
  removeDirectory(data_dir);
  return { lost, acknowledged: ledger.acknowledged };
}

/** The acknowledged posts that a new service on the same directory lacks or shows changed, and other damage. */
async function lostAfterRestart(data_dir: string, room: string, ledger: Ledger): Promise<string[]> {
  const restarted = await startBinary({ data_dir }).catch(() => null);
  if (!restarted) return ["everything"];
  const stored = await readAll(restarted.url, room).catch(() => []);
  await restarted.stop();
  const ids = new Set(stored.map(({ id }) => id));
  const lost = [...ledger.sent.values()].filter((post) => post !== null && !ids.has(post.id));
  if (lost.length > 0) return lost.map((post) => post!.id);
  expectStored(stored, ledger);
  return isWhole(data_dir) ? [] : ["integrity"];
}

function isWhole(data_dir: string): boolean {
  const database = new Database(join(data_dir, "wharf.db"), { readonly: true });
  const answer = database.query("PRAGMA integrity_check").get();
  database.close();
  return Bun.deepEquals(answer, { integrity_check: "ok" });
}

testWithDisk(
  `loses no acknowledged post in ${cuts} power cuts under ${writers} writers`,
  async () => {
    const random = testRandom("power cuts");
    let acknowledged = 0;
    for (let cut = 0; cut < cuts; cut++) {
      const outcome = await lostInOneCut(random, syncing.honest);
      expect(outcome.lost).toEqual([]);
      acknowledged += outcome.acknowledged;
    }
    console.log(`${acknowledged} acknowledged, ${cuts} power cuts, none lost`);
  },
  600_000,
);

testWithDisk(
  "loses no acknowledged post in a power cut soon after a first start, in directories that the service made",
  async () => {
    const disk = await Disk.make();
    const root = newDirectory();
    const data_dir = join(root, "var", "wharf-data");
    disk.set("keep", 1);
    const service = await startBinary({ data_dir }, disk.environment);
    const site = new Site();
    site.open(service.url);
    const room = await openRoom(service.url);
    const ledger = new Ledger();
    await say(site, room, "ana", "before the cut", ledger);
    disk.set("cut_after", 1);
    await say(site, room, "ana", "cut off", ledger).catch(() => {});
    await service.process.exited;
    expect(service.process.signalCode).toBe("SIGKILL");
    expect(await lostAfterRestart(data_dir, room, ledger)).toEqual([]);
    disk.remove();
    removeDirectory(root);
  },
);

// Control: with unsafe syncs the same run must lose posts.
testWithDisk.each(["lying", "normal"] as const)(
  "control: power cuts lose posts when syncs are %s",
  async (mode) => {
    const random = testRandom(`power cuts, ${mode} syncs`);
    let lost = 0;
    for (let cut = 0; cut < 10 && lost === 0; cut++) {
      lost += (await lostInOneCut(random, syncing[mode])).lost.length;
    }
    expect(lost).toBeGreaterThan(0);
  },
  600_000,
);
