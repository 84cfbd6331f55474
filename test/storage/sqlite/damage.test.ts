/** A damaged database: detected after an unclean stop, reported by /readyz, and never reported as retryable. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../../src/core/clock.ts";
import type { AppCommands } from "../../../src/app/commands.ts";
import { createLog } from "../../../src/core/log.ts";
import type { Storage } from "../../../src/core/storage.ts";
import { startSearches } from "../../../src/app/storage.ts";
import { openSqlite } from "../../../src/storage/sqlite/engine.ts";
import { copyDirectory } from "../../support/directories.ts";
import { get, post } from "../../support/http.ts";
import { openRoom } from "../../support/load.ts";
import { newDirectory, removeDirectory, startBinary, type TestService } from "../../support/service.ts";

const root = newDirectory();
afterAll(() => removeDirectory(root));
let made = 0;
const place = (): string => join(root, `place-${++made}`);

interface Ready {
  status: string;
  checks: Record<string, { status: string; code?: string }>;
}
const readyz = (service: TestService) => get<Ready>(`${service.url}/readyz`);

/** Resolves once `service` has logged `event`. */
async function logged(service: { output(): string }, event: string): Promise<void> {
  while (!service.output().includes(`"event":"${event}"`)) await Bun.sleep(5);
}

const marker = "wharf.running";
const needle = "the post on the damaged page";

/** A directory that was stopped cleanly, with a room whose posts fill several pages. */
let sound: string;
let room: string;
let other_room: string;

beforeAll(async () => {
  sound = place();
  const service = await startBinary({ data_dir: sound });
  room = await openRoom(service.url);
  other_room = await openRoom(service.url, "Another room");
  for (let i = 0; i < 40; i++) {
    const body = (i === 20 ? needle : `${i}`).padEnd(1_500, " and so on");
    await post(`${service.url}/api/meet/rooms/${room}/posts`, { name: "ana", body });
  }
  await service.stop();
});

/** A copy in which the page with the needle is overwritten from its beginning. */
function damaged(): string {
  const directory = place();
  copyDirectory(sound, directory);
  const file = join(directory, "wharf.db");
  const bytes = readFileSync(file);
  const page_bytes = bytes.readUInt16BE(16);
  const at = bytes.indexOf(needle);
  expect(at).toBeGreaterThan(0);
  bytes.fill(0xa5, at - (at % page_bytes), at - (at % page_bytes) + 200);
  writeFileSync(file, bytes);
  return directory;
}

test("checks the database after a kill, and not after a clean stop", async () => {
  const directory = place();
  copyDirectory(sound, directory);
  const first = await startBinary({ data_dir: directory });
  expect(existsSync(join(directory, marker))).toBe(true);
  expect((await readyz(first)).body).toEqual({
    status: "ready",
    checks: expect.objectContaining({ writes: { status: "ok" }, database: { status: "ok" } }),
  });
  first.process.kill("SIGKILL");
  await first.process.exited;
  expect(first.output()).not.toContain("storage.check");

  const second = await startBinary({ data_dir: directory });
  await logged(second, "storage.check_passed");
  expect((await readyz(second)).body.checks.database).toEqual({ status: "ok" });
  await second.stop();
  expect(existsSync(join(directory, marker))).toBe(false);
  const third = await startBinary({ data_dir: directory });
  expect((await readyz(third)).status).toBe(200);
  await third.stop();
  expect(third.output()).not.toContain("storage.check");
});

describe("a damaged page", () => {
  test("is found after an unclean stop, and reported by the log and /readyz until a start finds it repaired", async () => {
    const directory = damaged();
    writeFileSync(join(directory, marker), "");
    for (let start = 0; start < 2; start++) {
      const service = await startBinary({ data_dir: directory });
      await logged(service, "storage.check_failed");
      const { status, headers, body } = await readyz(service);
      expect(status).toBe(503);
      expect(headers.get("retry-after")).toBe("5");
      expect(body).toEqual({
        status: "unavailable",
        checks: expect.objectContaining({
          writes: { status: "ok" },
          database: { status: "failing", code: "storage_corrupt" },
        }),
      });
      expect((await get(`${service.url}/healthz`)).status).toBe(200);
      await service.stop();
    }
    // The copy has been given an identity of its own.
    copyDirectory(sound, directory, ["wharf.db", "wharf.id"]);
    const mended = await startBinary({ data_dir: directory });
    await logged(mended, "storage.check_passed");
    expect((await readyz(mended)).status).toBe(200);
    await mended.stop();
  });

  test("is answered with a logged 500 that is not retryable, while everything else is served", async () => {
    const service = await startBinary({ data_dir: damaged() });
    const answer = await get(`${service.url}/api/meet/rooms/${room}`);
    expect(answer.status).toBe(500);
    expect(answer.headers.get("retry-after")).toBeNull();
    expect(answer.body).toMatchObject({ code: "storage_corrupt", retryable: false });
    expect(JSON.stringify(answer.body)).not.toMatch(/sqlite|malformed|wharf\.db/i);
    await logged(service, "storage.corrupt");
    expect((await readyz(service)).body.checks.database).toEqual({
      status: "failing",
      code: "storage_corrupt",
    });
    expect((await get(`${service.url}/api/meet/rooms/${other_room}`)).status).toBe(200);
    expect((await openRoom(service.url, "A third room")).length).toBeGreaterThan(0);
    await service.stop();
  });
});

test("stops without waiting for the check, and repeats it at the next start", async () => {
  const directory = place();
  copyDirectory(sound, directory);
  writeFileSync(join(directory, marker), "");
  let log = "";
  const open = (checker: string): Promise<Storage<AppCommands>> =>
    openSqlite<AppCommands>({
      directory,
      startWriter: () => new Worker(new URL("../../../src/app/writer_worker.ts", import.meta.url).href),
      startChecker: () => new Worker(checker),
      startSearches,
      log: createLog(systemClock, "info", (line) => void (log += line)),
    });
  // A check that never ends by itself.
  const endless = await open(`data:text/javascript,onmessage = () => { for (;;); }`);
  expect((await endless.health()).database).toEqual({ status: "running" });
  await endless.close();
  expect(existsSync(join(directory, marker))).toBe(true);

  const again = await open(new URL("../../../src/app/integrity_worker.ts", import.meta.url).href);
  while (!log.includes("storage.check_passed")) await Bun.sleep(5);
  expect((await again.health()).database).toEqual({ status: "ok" });
  await again.close();
  expect(existsSync(join(directory, marker))).toBe(false);
});
