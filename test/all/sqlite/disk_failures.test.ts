/** A disk whose syncs fail, or that is full: writes are refused, reads continue, no acknowledged post is lost. */

import { afterAll, expect, test } from "bun:test";
import { rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Disk, testWithDisk } from "../../support/disk.ts";
import { get, post } from "../../support/http.ts";
import { expectStored, Ledger, openRoom, readAll, say, Site, writeOn } from "../../support/load.ts";
import { lacks } from "../../support/programs.ts";
import { newDirectory, removeDirectory, startBinary, type TestSettings } from "../../support/service.ts";
import { smallDisk } from "../../support/small_disk.ts";

const writers = 16;

/** Starts `writers` on a new service; `end` stops them, restarts the service and checks its posts. */
async function underLoad(data_dir: string, environment: Record<string, string>, settings: TestSettings = {}) {
  const service = await startBinary({ ...settings, data_dir }, environment);
  const site = new Site();
  site.open(service.url);
  const room = await openRoom(service.url);
  const ledger = new Ledger();
  const writing = Array.from({ length: writers }, (_, i) =>
    writeOn(site, room, `writer-${i}`, ledger, { body_chars: 500, resend: false }),
  );
  await ledger.more(200);
  return {
    service,
    site,
    room,
    ledger,
    async end() {
      site.ended = true;
      await Promise.all(writing);
      expect(service.process.exitCode).toBeNull();
      expectStored(await readAll(service.url, room), ledger);
      service.process.kill("SIGKILL");
      await service.process.exited;
      const restarted = await startBinary({ data_dir });
      expectStored(await readAll(restarted.url, room), ledger);
      await restarted.stop();
    },
  };
}

testWithDisk.each([1, 40])(
  "loses no acknowledged post with %d failing syncs under load",
  async (failing_syncs) => {
    const disk = await Disk.make();
    const data_dir = newDirectory();
    const { service, room, ledger, end } = await underLoad(data_dir, disk.environment);

    disk.set("failing_syncs", failing_syncs);
    while (disk.get("failing_syncs") > 0) {
      expect((await get(`${service.url}/api/meet/rooms/${room}?limit=1`)).status).toBe(200);
    }
    expect(disk.get("refused")).toBe(failing_syncs);
    await ledger.more(200);
    await end();
    // A single failure may hit a later sync that no write waits for.
    if (failing_syncs > 1 || ledger.refused.size > 0) expect([...ledger.refused.keys()]).toEqual([503]);

    disk.remove();
    removeDirectory(data_dir);
  },
  60_000,
);

testWithDisk("says when to retry in the problem of a failing sync", async () => {
  const disk = await Disk.make();
  const service = await startBinary({}, disk.environment);
  const room = await openRoom(service.url);
  disk.set("failing_syncs", 1_000);
  const answer = await post(`${service.url}/api/meet/rooms/${room}/posts`, { name: "ana", body: "hello" });
  disk.set("failing_syncs", 0);
  expect(answer.status).toBe(503);
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
  expect(answer.headers.get("retry-after")).toBe("5");
  expect(answer.body).toMatchObject({ code: "storage_failed", retryable: true });
  expect(JSON.stringify(answer.body)).not.toMatch(/sqlite|wharf\.db|\.ts/i);
  await service.stop();
  disk.remove();
});

testWithDisk(
  "refuses writes on a full disk until there is room",
  async () => {
    const disk = await Disk.make();
    const data_dir = newDirectory();
    const { service, room, ledger, end } = await underLoad(data_dir, disk.environment);

    disk.set("full", 1);
    const refused = disk.get("refused");
    while (disk.get("refused") < refused + 20) {
      expect((await get(`${service.url}/api/meet/rooms/${room}?limit=1`)).status).toBe(200);
    }
    const answer = await post(`${service.url}/api/meet/rooms/${room}/posts`, { name: "ana", body: "hello" });
    expect(answer.status).toBe(507);
    expect(answer.headers.get("retry-after")).toBe("30");
    expect(answer.body).toMatchObject({ code: "storage_full", retryable: true });
    disk.set("full", 0);
    await ledger.more(200);
    await end();
    expect([...ledger.refused.keys()]).toEqual([507]);

    disk.remove();
    removeDirectory(data_dir);
  },
  60_000,
);

testWithDisk(
  "reports at /readyz whether writes work, and finds out without a write when they work again",
  async () => {
    const disk = await Disk.make();
    const service = await startBinary({}, disk.environment);
    const readyz = () => get<{ checks: Record<string, object> }>(`${service.url}/readyz`);
    expect((await readyz()).status).toBe(200);
    const room = await openRoom(service.url);
    disk.set("full", 1);
    const say = () => post(`${service.url}/api/meet/rooms/${room}/posts`, { name: "ana", body: "hello" });
    while ((await say()).status === 201);
    const failing = await readyz();
    expect(failing.status).toBe(503);
    expect(failing.body.checks.writes).toEqual({ status: "failing", code: "storage_full" });
    disk.set("full", 0);
    while ((await readyz()).status === 503);
    expect((await readyz()).body.checks.writes).toEqual({ status: "ok" });
    expect((await say()).status).toBe(201);
    await service.stop();
    disk.remove();
  },
);

const mb = 1024 * 1024;
const no_mount = lacks("a full file system", "mount", "umount");
// 5 % of it is more than one group of writes and one step of indexing add: the service measures between those.
const small = no_mount ? undefined : smallDisk(64);
afterAll(() => small?.unmount());
// Containers have the program and not the right to use it. That is no missing program: disk.c stands in for the disk above.
const may_not_mount = !no_mount && !small;
if (may_not_mount) console.log("NOT POSSIBLE HERE: a full file system: this user may not mount one.");

const testWithMount = may_not_mount ? () => {} : test.skipIf(no_mount);

testWithMount(
  "a full file system, of which nothing is to stay free",
  async () => {
    const { directory } = small!;
    const data_dir = join(directory, "wharf-data");
    const [ballast, more_ballast] = [join(directory, "ballast"), join(directory, "more-ballast")];
    writeFileSync(ballast, new Uint8Array(52 * mb));
    writeFileSync(more_ballast, new Uint8Array(4 * mb));
    const { service, site, room, ledger, end } = await underLoad(data_dir, {}, { disk_min_free_bytes: 0 });

    const url = `${service.url}/api/meet/rooms/${room}`;
    while ((ledger.refused.get(507) ?? 0) < 200)
      await say(site, room, "ana", `until ${ledger.sent.size}`, ledger);
    expect((await get(`${url}?limit=1`)).status).toBe(200);
    expect((await fetch(`${service.url}/meet/r/${room}`)).status).toBe(200);
    rmSync(more_ballast);
    await ledger.more(200);
    await end();
    rmSync(ballast);
    expect([...ledger.refused.keys()]).toEqual([507]);
    removeDirectory(data_dir);
  },
  60_000,
);

testWithMount(
  "of a small file system 5 % stay free",
  async () => {
    const { directory } = small!;
    const data_dir = join(directory, "wharf-data");
    const ballast = join(directory, "ballast");
    writeFileSync(ballast, new Uint8Array(48 * mb));
    const { service, site, room, ledger, end } = await underLoad(data_dir, {});
    while ((ledger.refused.get(507) ?? 0) < 200)
      await say(site, room, "ana", `until ${ledger.sent.size}`, ledger);
    const refused = await post(`${service.url}/api/meet/rooms`, { goal: "More", name: "ana" });
    expect(refused.body).toMatchObject({ code: "disk_budget" });
    const { bavail, blocks } = statfsSync(directory);
    expect(bavail / blocks).toBeGreaterThan(0.03);
    expect(bavail / blocks).toBeLessThan(0.2);
    await end();
    rmSync(ballast);
    removeDirectory(data_dir);
  },
  60_000,
);

testWithMount(
  "a burst of 64 writers leaves --disk-min-free on a small file system",
  async () => {
    const { directory } = small!;
    const data_dir = join(directory, "wharf-data");
    const disk_min_free_bytes = 40 * mb;
    const service = await startBinary({ data_dir, disk_min_free_bytes });
    const posts = `${service.url}/api/meet/rooms/${await openRoom(service.url)}/posts`;
    let least_bytes = Infinity;
    const write = async () => {
      for (;;) {
        const { status } = await post(posts, { name: "ana", body: "🪵".repeat(4_000) });
        const { bavail, bsize } = statfsSync(directory);
        least_bytes = Math.min(least_bytes, bavail * bsize);
        if (status !== 201) return;
      }
    };
    await Promise.all(Array.from({ length: 64 }, write));
    expect(least_bytes).toBeGreaterThan(disk_min_free_bytes);
    expect(least_bytes).toBeLessThan(disk_min_free_bytes + 8 * mb);
    await service.stop();
    removeDirectory(data_dir);
  },
  60_000,
);

testWithDisk("flushes the log that a killed process has left, before anything follows it", async () => {
  const disk = await Disk.make();
  const data_dir = newDirectory();
  const killed = await startBinary({ data_dir });
  const room = await openRoom(killed.url);
  killed.process.kill("SIGKILL");
  await killed.process.exited;
  disk.set("failing_syncs", 1);
  const outcome = await startBinary({ data_dir }, disk.environment).then(() => "served", String);
  expect(outcome).toMatch(/wharf\.db-wal cannot be flushed: the disk failed/);
  const service = await startBinary({ data_dir }, disk.environment);
  expect(await readAll(service.url, room)).toEqual([]);
  await service.stop();
  disk.remove();
  removeDirectory(data_dir);
});
