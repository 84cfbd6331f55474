/** A log that has lost acknowledged writes: the start is refused if that is certain, and says what is in doubt. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../../src/core/clock.ts";
import { binary } from "../../support/binary.ts";
import { copyDirectory, fileHashes, refusal } from "../../support/directories.ts";
import { findings, of } from "../../support/doctor.ts";
import { post } from "../../support/http.ts";
import { openRoom, readAll } from "../../support/load.ts";
import { testRandom } from "../../support/seed.ts";
import { newDirectory, removeDirectory, startBinary } from "../../support/service.ts";

const root = newDirectory();
afterAll(() => removeDirectory(root));
const posts = 40;
/** Of a service that was killed: its posts are in the log alone. */
let killed: string;
let room: string;
beforeAll(async () => {
  killed = join(root, "killed");
  const first = await startBinary({ data_dir: killed });
  room = await openRoom(first.url);
  await first.stop();
  const service = await startBinary({ data_dir: killed });
  for (let i = 0; i < posts; i++)
    await post(`${service.url}/api/meet/rooms/${room}/posts`, { name: "ana", body: `${i} `.repeat(500) });
  service.process.kill("SIGKILL");
  await service.process.exited;
});

let made = 0;
const log = (directory: string): string => join(directory, "wharf.db-wal");
const index = (directory: string): string => join(directory, "wharf.db-shm");

/** A copy of the directory, changed by `damage`. `without_index`: as after a power cut, which can leave an index of any age. */
function damaged(damage: (directory: string) => void, without_index = false): string {
  const directory = join(root, `damaged-${++made}`);
  mkdirSync(directory, { mode: 0o700 });
  copyDirectory(killed, directory);
  if (without_index) rmSync(index(directory));
  damage(directory);
  return directory;
}

const remove = (directory: string) => rmSync(log(directory));
const empty = (directory: string) => truncateSync(log(directory), 0);
const halve = (directory: string) => truncateSync(log(directory), statSync(log(directory)).size / 2);
const flip = (at: number) => (directory: string) => {
  const bytes = readFileSync(log(directory));
  bytes[at] = bytes[at]! ^ 0x10;
  writeFileSync(log(directory), bytes);
};

/** Expects a refused start that changes no byte, and the same from the doctor. */
async function expectRefused(directory: string, says: RegExp): Promise<void> {
  const before = fileHashes(directory);
  const refused = await refusal({ data_dir: directory });
  expect(refused).toEqual({ status: 1, says: expect.stringMatching(says) });
  expect(refused.says).toMatch(/\. Restore the latest backup, or start once with --accept-loss/);
  const found = of(await findings(directory, {}, { clock: systemClock }), "data-directory");
  expect(found).toMatchObject({ status: "failed", found: expect.stringMatching(says) });
  expect(fileHashes(directory)).toEqual(before);
}

describe("refuses to start", () => {
  test.each([
    [
      "missing",
      remove,
      /wharf\.db-wal is missing, and its index \S+wharf\.db-shm says that it had \d+ pages/,
    ],
    ["empty", empty, /wharf\.db-wal is empty, and its index/],
    ["cut in half", halve, /wharf\.db-wal is cut off or damaged: \d+ of its \d+ pages can be read/],
    ["changed in its header", flip(20), /wharf\.db-wal is damaged at its page 1, and later writes follow/],
  ])("on a log that is %s", (_how, damage, says) => expectRefused(damaged(damage), says));

  test("on a log that is changed in one byte, wherever that is", async () => {
    const { below } = testRandom("bytes of a log");
    const bytes = statSync(log(killed)).size;
    for (const at of [bytes - 1, ...Array.from({ length: 5 }, () => 32 + below(bytes - 32))])
      await expectRefused(damaged(flip(at)), /wharf\.db-wal is (?:damaged at its page|cut off or damaged)/);
  });

  test("on a log that is changed in one byte before its last transactions, without its index", async () => {
    const { below } = testRandom("bytes of a log");
    const bytes = statSync(log(killed)).size;
    for (let i = 0; i < 3; i++)
      await expectRefused(
        damaged(flip(below(bytes / 2)), true),
        /is damaged at its page \d+, and later writes/,
      );
  });
});

describe("without the index, starts and says what is in doubt", () => {
  test.each([
    [
      "missing",
      remove,
      /wharf\.db-wal is missing: what was written since its last checkpoint is lost, unless/,
    ],
    ["empty", empty, /wharf\.db-wal is empty: if the service has not emptied it/],
    ["cut in half", halve, /wharf\.db-wal ends in a part of a transaction: a power cut leaves that/],
  ])("for a log that is %s", async (_how, damage, says) => {
    const examined = await findings(damaged(damage, true), {}, { clock: systemClock });
    const found = of(examined, "data-directory");
    expect(found).toMatchObject({ status: "warning", found: expect.stringMatching(says) });
    const service = await startBinary({ data_dir: damaged(damage, true) });
    expect(service.output()).toMatch(new RegExp(`"event":"storage\\.log_in_doubt",.*${says.source}`));
    expect((await readAll(service.url, room)).length).toBeLessThan(posts);
    await service.stop();
  });
});

test("is silent about the whole log of a service that was killed", async () => {
  const service = await startBinary({ data_dir: damaged(() => undefined) });
  expect(await readAll(service.url, room)).toHaveLength(posts);
  expect(service.output()).not.toContain("storage.log");
  await service.stop();
});

test("starts with --accept-loss, says so in the log and in the audit log, and then without it", async () => {
  const directory = damaged(halve);
  const service = await startBinary({ data_dir: directory, accept_loss: true });
  expect(service.output()).toContain('"event":"storage.loss_accepted"');
  const stored = await readAll(service.url, room);
  expect(stored.length).toBeLessThan(posts);
  await service.stop();
  const audit = await Bun.$`${binary()} admin audit --data-dir ${directory}`.text();
  expect(audit).toMatch(/ owner instance\.accept_loss instance: wharf\.db-wal is cut off or damaged: /);
  const again = await startBinary({ data_dir: directory });
  expect(await readAll(again.url, room)).toEqual(stored);
  await again.stop();
});
