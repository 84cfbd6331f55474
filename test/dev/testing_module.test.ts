/** testing/wharf.ts, with which test suites start and control `wharf dev`: every call of it. */

import { afterAll, beforeEach, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Fault as ServiceFault } from "../../src/dev/faults.ts";
import type { LoggedRequest as ServiceRequest } from "../../src/dev/request_log.ts";
import { startWharf, type Fault, type LoggedRequest } from "../../testing/wharf.ts";
import { get, post } from "../support/http.ts";

const command = [process.execPath, join(import.meta.dir, "../../src/main.ts")];
const wharf = await startWharf({ command });
beforeEach(() => wharf.reset());
afterAll(() => wharf.stop());

const rooms = () => `${wharf.url}/api/meet/rooms`;
const room = { goal: "Which harbour is best?", name: "ada" };
const route = "POST /api/meet/rooms";

test("starts with seed 1 in 2030, with its data in memory", async () => {
  expect(await wharf.state()).toMatchObject({
    seed: 1,
    at: "2030-01-01T00:00:00.000Z",
    data_dir: null,
    frozen: false,
  });
});

test("starts with what the options say, and ends with the block", async () => {
  let url: string;
  {
    await using other = await startWharf({
      command,
      seed: 7,
      at: "2031-01-01",
      frozen: true,
      args: ["--round-seconds", "10"],
    });
    ({ url } = other);
    expect(await other.state()).toMatchObject({ seed: 7, now: "2031-01-01T00:00:00.000Z", frozen: true });
    const same = await startWharf({ url: `${url}/` });
    expect(await same.state()).toMatchObject({ seed: 7 });
    await same.stop();
    expect(await same.state()).toMatchObject({ seed: 7 });
  }
  expect(fetch(`${url}/_dev`)).rejects.toThrow();
});

test("resets data, clock, faults and log", async () => {
  await post(rooms(), room);
  await wharf.clock.advance({ days: 1 });
  await wharf.faults.add({ route, status: 503 });
  const state = await wharf.reset();
  expect(state).toMatchObject({ requests: 0, faults: [] });
  expect(state.now).toStartWith("2030-01-01T00:00:0");
  expect(await wharf.log()).toEqual([]);
  expect((await post(rooms(), room)).status).toBe(201);
});

test("advances, sets and freezes the clock", async () => {
  await wharf.clock.freeze();
  const { now } = await wharf.state();
  const advanced = await wharf.clock.advance({ days: 1, hours: 2, minutes: 3, seconds: 4 });
  expect(Date.parse(advanced.now) - Date.parse(now)).toBe((((24 + 2) * 60 + 3) * 60 + 4) * 1000);
  expect(await wharf.clock.set("2030-01-03T12:00:00Z")).toEqual({
    now: "2030-01-03T12:00:00.000Z",
    frozen: true,
  });
  await wharf.clock.set(new Date("2030-01-04"));
  expect(wharf.clock.set("2030-01-03")).rejects.toThrow("clock_goes_back");
  expect(await wharf.clock.freeze(false)).toMatchObject({ frozen: false });
});

test("adds faults and clears them", async () => {
  const fault = await wharf.faults.add({ route, status: 429, times: 0, retry_after_seconds: 1 });
  expect((await wharf.state()).faults).toEqual([fault]);
  expect((await post(rooms(), room)).headers.get("retry-after")).toBe("1");
  await wharf.faults.clear(fault.id);
  const cut = await wharf.faults.add({ route, drop: true, when: "before" });
  expect(post(rooms(), room)).rejects.toThrow();
  expect(await wharf.log({ route })).toMatchObject([
    { n: 1, status: 429, faulted: fault.id },
    { n: 2, status: null, faulted: cut.id },
  ]);
  await wharf.faults.add({ route: "* *", delay_ms: 60_000 });
  await wharf.faults.clear();
  expect((await post(rooms(), room)).status).toBe(201);
});

test("returns the requests of a route, and those after a request", async () => {
  await get(rooms());
  await post(rooms(), room);
  expect(await wharf.log({ route })).toMatchObject([{ n: 2, method: "POST", path: "/api/meet/rooms" }]);
  expect(await wharf.log({ since: 2 })).toEqual([]);
});

test("saves, restores, lists and deletes snapshots", async () => {
  await post(rooms(), room);
  const snapshot = await wharf.snapshots.save("one_room");
  await post(rooms(), { ...room, goal: "Another" });
  await wharf.snapshots.restore("one_room");
  expect((await get<{ rooms: unknown[] }>(rooms())).body.rooms).toHaveLength(1);
  expect(await wharf.snapshots.list()).toEqual([snapshot]);
  await wharf.snapshots.delete("one_room");
  expect(await wharf.snapshots.list()).toEqual([]);
});

test("every call in the first table of README.md runs", async () => {
  const readme = readFileSync(join(import.meta.dir, "../../testing/README.md"), "utf8");
  const calls = readme
    .split("## pytest")[0]!
    .matchAll(/^\| `(?:await )?((?:wharf\.|startWharf).+?)` +\|/gm)
    .map(([, call]) => call!)
    .toArray();
  expect(calls).toHaveLength(13);
  for (const call of calls) {
    // oxlint-disable-next-line typescript/no-implied-eval -- runs a text of this repository
    const run = new Function("startWharf", "wharf", "key", `return ${call}`) as (
      ...given: unknown[]
    ) => unknown;
    const start = (options: object) => startWharf({ ...options, url: wharf.url });
    await run(start, { ...wharf, stop() {} }, "key");
  }
});

test("has the types of the service", () => {
  const fault = (given: ServiceFault): Omit<Fault, "drop"> => given;
  const request = (given: ServiceRequest): LoggedRequest => given;
  const back = (given: LoggedRequest): ServiceRequest => given;
  expect([fault, request, back]).toBeDefined();
});

test("rejects with the reason if nothing starts", async () => {
  const failures: [string[], string][] = [
    [["sh", "-c", "echo 'no memory left' >&2; exit 3"], "it ended with status 3\nno memory left"],
    [["sh", "-c", "echo hello; exec sleep 60"], "its first line has no url\nhello"],
    [["/nowhere/wharf"], "Set WHARF_BIN to the path of the program"],
  ];
  for (const [failing, reason] of failures) {
    expect(startWharf({ command: failing })).rejects.toThrow(reason);
  }
  const silent = startWharf({ command: ["sh", "-c", "exec sleep 60"], start_seconds_max: 0.1 });
  expect(silent).rejects.toThrow("it printed nothing in time");
});
