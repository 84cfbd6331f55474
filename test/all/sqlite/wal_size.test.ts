/** The size of the write-ahead log while others read: bounded where possible, and truncated when the readers end. */

import { expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { storage_limits } from "../../../src/storage/limits.ts";
import { foreignReader } from "../../support/foreign_reader.ts";
import { post } from "../../support/http.ts";
import { openRoom } from "../../support/load.ts";
import { startBinary, type TestService } from "../../support/service.ts";
import { room_limits } from "../../../src/api/limits.ts";

const mb = 1024 * 1024;
/** 16 KB of UTF-8. */
const body = "🪵".repeat(room_limits.post_body_chars_max);

const logBytes = ({ directory }: TestService): number =>
  statSync(join(directory, "wharf.db-wal"), { throwIfNoEntry: false })?.size ?? 0;

/** Posts `bytes` of text, 32 calls at a time. Returns the largest size of the log. */
async function write(service: TestService, bytes: number): Promise<number> {
  const room = await openRoom(service.url);
  const url = `${service.url}/api/meet/rooms/${room}/posts`;
  let left = Math.ceil(bytes / Buffer.byteLength(body));
  let most_bytes = 0;
  const writeOn = async () => {
    while (left-- > 0) {
      expect((await post(url, { name: "ana", body })).status).toBe(201);
      most_bytes = Math.max(most_bytes, logBytes(service));
    }
  };
  await Promise.all(Array.from({ length: 32 }, writeOn));
  return most_bytes;
}

test("bounds the log under overlapping readers", async () => {
  const service = await startBinary();
  const reader = await foreignReader(service.directory, "overlap");
  const most_bytes = await write(service, 200 * mb);
  await reader.kill();
  expect(most_bytes).toBeLessThan(storage_limits.wal_bytes_max + 64 * mb);
  await service.stop();
}, 600_000);

test("truncates the log when a long reader ends, even without writes", async () => {
  const service = await startBinary();
  const reader = await foreignReader(service.directory, "hold");
  const most_bytes = await write(service, 130 * mb);
  expect(most_bytes).toBeGreaterThan(2 * storage_limits.wal_bytes_max);
  while (!service.output().includes('"event":"storage.log_held"')) await Bun.sleep(10);
  await reader.release();
  while (logBytes(service) > storage_limits.wal_bytes_max) await Bun.sleep(10);
  while (!service.output().includes('"event":"storage.log_released"')) await Bun.sleep(10);
  expect(service.output().match(/storage\.log_held/g)).toHaveLength(1);
  await service.stop();
}, 600_000);
