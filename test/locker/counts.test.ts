/** The totals of lockers and slots: updated with the writes, also for slots that expire and slots of earlier releases. */

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { migrations } from "../../src/storage/migrations.ts";
import { call } from "../support/http.ts";
import { readIndex } from "../support/lockers.ts";
import { claim, type Holder } from "../support/names.ts";
import { moveToEngine } from "../support/moved.ts";
import { newDirectory, removeDirectory, startSource } from "../support/service.ts";
import { locker_internal_limits } from "../../src/locker/limits.ts";

const put = (url: string, who: Holder, slot: string, more: object = {}) =>
  call("PUT", `${url}/api/locker/${slot}`, { value: "x", ...more }, who.pair);

test("counts lockers and slots as they are created, deleted and expire", async () => {
  const service = await startSource();
  const { url, clock } = service;
  const totals = async () => {
    const { count, slots_total, counted } = await readIndex(url);
    expect({ count, slots_total }).toEqual(counted);
    return [count, slots_total];
  };
  const [ada, bob] = [await claim(url, "Ada"), await claim(url, "Bob")];
  expect(await totals()).toEqual([0, 0]);
  await put(url, ada, "a");
  await put(url, ada, "a");
  await put(url, ada, "b", { expires_in: 60 });
  await put(url, bob, "c", { expires_in: 30 });
  expect(await totals()).toEqual([2, 3]);
  clock.advance(30);
  expect(await totals()).toEqual([1, 2]);
  // The owner replaces an expired slot before any read.
  clock.advance(30);
  await put(url, ada, "b");
  expect(await totals()).toEqual([1, 2]);
  for (const slot of ["a", "b"]) await call("DELETE", `${url}/api/locker/${slot}`, undefined, ada.pair);
  expect(await totals()).toEqual([0, 0]);
  await service.stop();
});

test("counts each expired slot once, however many read the index at the same time", async () => {
  const service = await startSource();
  const { url, clock } = service;
  const ada = await claim(url, "Ada");
  for (let round = 0; round < 5; round++) {
    for (let i = 0; i < 10; i++) await put(url, ada, `s${i}`, { expires_in: 60 });
    await put(url, ada, "kept");
    clock.advance(60);
    await Promise.all(Array.from({ length: 20 }, () => readIndex(url)));
    const { count, slots_total } = await readIndex(url);
    expect({ count, slots_total }).toEqual({ count: 1, slots_total: 1 });
  }
  await service.stop();
});

test("counts the slots of an earlier release, and removes its expired slots in portions", async () => {
  const data_dir = newDirectory();
  const database = new Database(join(data_dir, "wharf.db"));
  const before = migrations.findIndex((sql) => sql.includes("slots_expiring"));
  for (const sql of migrations.slice(0, before)) database.run(sql);
  database.run(`PRAGMA user_version = ${before}`);
  const expired = 2 * locker_internal_limits.slots_pruned_per_command + 10;
  const at = "2026-01-01T00:00:00.000Z";
  database.transaction(() => {
    for (let i = 0; i < expired + 5; i++) {
      const name = `name ${i}`;
      database
        .query(
          "INSERT INTO names (canonical, name, created, key_sha256, key_changed, recovery_sha256, last_act) " +
            "VALUES (?1, ?1, ?2, ?1, ?2, '', ?2)",
        )
        .run(name, at);
      database
        .query(
          "INSERT INTO slots (owner, slot, bytes, public, version, etag, updated, expires_at, value) " +
            "VALUES (?1, 's', 1, 0, 1, 'e', ?2, ?3, 'x')",
        )
        .run(name, at, i < expired ? at : null);
    }
  })();
  database.close();
  await moveToEngine(data_dir);
  const service = await startSource({ data_dir });
  const { count, slots_total, counted } = await readIndex(service.url);
  expect({ count, slots_total }).toEqual({ count: 5, slots_total: 5 });
  expect(counted).toEqual({ count: 5, slots_total: 5 });
  await service.stop();
  removeDirectory(data_dir);
});
