/** GET /readyz: a clock that was set and a write-ahead log over its bound are reported, beside the checks of test/storage. */

import { expect, test } from "bun:test";
import { createLog } from "../../src/core/log.ts";
import { Health } from "../../src/storage/sqlite/health.ts";
import { FakeClock } from "../support/clock.ts";
import { get } from "../support/http.ts";
import { newDirectory, removeDirectory, startSource } from "../support/service.ts";

const readyz = async (url: string) => {
  const { status, body } = await get<{ checks: Record<string, object> }>(`${url}/readyz`);
  return { status, clock: body.checks.clock };
};
const held = { status: 503, clock: { status: "failing", code: "clock_held" } };
const ready = { status: 200, clock: { status: "ok" } };

test("reports a wall clock that was set, until it has been steady for ten minutes", async () => {
  const service = await startSource();
  expect(await readyz(service.url)).toEqual(ready);
  service.clock.set("2026-03-02T12:00:00.000Z");
  expect(await readyz(service.url)).toEqual(held);
  service.clock.advance(660);
  expect(await readyz(service.url)).toEqual(ready);
  await service.stop();
});

test("reports a start before the last known time", async () => {
  const data_dir = newDirectory();
  await (await startSource({ data_dir }, new FakeClock("2026-03-01T12:00:00.000Z"))).stop();
  const service = await startSource({ data_dir }, new FakeClock("2026-02-01T12:00:00.000Z"));
  expect(await readyz(service.url)).toEqual(held);
  await service.stop();
  removeDirectory(data_dir);
});

test("reports a write-ahead log that a reader keeps over its bound", () => {
  const health = new Health(createLog(new FakeClock(), "error", () => {}));
  expect(health.checks().log).toEqual({ status: "ok" });
  health.noteLog(true, 100);
  expect(health.checks().log).toEqual({ status: "failing", code: "log_held" });
  health.noteLog(false, 0);
  expect(health.checks().log).toEqual({ status: "ok" });
});
