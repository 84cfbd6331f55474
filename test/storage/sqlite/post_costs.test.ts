/** What a lone post costs the database, in numbers that do not depend on the machine. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { commands } from "../../../src/app/commands.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { TransactionRunner } from "../../../src/storage/sqlite/group_commit.ts";
import { newDirectory, removeDirectory } from "../../support/service.ts";

/** A page in the log, with its header. */
const frame_bytes = 24 + 4096;
const began_ms = Date.parse("2026-03-01T12:00:00.000Z");

let directory: string;
let writer: TransactionRunner;
beforeAll(async () => {
  directory = newDirectory();
  writer = TransactionRunner.open(join(directory, "wharf.db"), commands, systemClock);
  const opened = { goal: "A room", name: "Ana", identity: null, visibility: "public", now_ms: began_ms };
  await commit("rooms.open", { ...opened, slugs: ["a-room"], host_key_sha256: "" });
});
afterAll(() => {
  writer.close();
  removeDirectory(directory);
});

async function commit(name: string, input: object): Promise<void> {
  const { replies } = await writer.commit([{ name, input, call: undefined }]);
  expect(replies[0]).not.toHaveProperty("failure");
}

/** Posts of 130 characters, one after the other, 20 in each second. */
async function post(first: number, count: number): Promise<void> {
  for (let n = first; n < first + count; n++) {
    const now_ms = began_ms + n * 50;
    const said = { identity: null, room: "a-room", name: "Ana", body: "x".repeat(130), in_reply_to: null };
    const salt = "00112233445566778899aabbccddeeff";
    await commit("rooms.speak", { ...said, id: Bun.randomUUIDv7("hex", now_ms), salt, now_ms });
  }
}

test("a lone post writes 3.3 pages to the log at most", async () => {
  await post(1, 300);
  const log = () => statSync(join(directory, "wharf.db-wal")).size / frame_bytes;
  const before = log();
  await post(301, 600);
  const pages = (log() - before) / 600;
  expect(pages).toBeGreaterThan(3);
  expect(pages).toBeLessThanOrEqual(3.3);
});
