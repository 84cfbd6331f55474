/** The operator's limit for stored data: beyond it writes are refused and reads continue, until there is room again. */

import { afterEach, describe, expect, test } from "bun:test";
import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { command_definitions } from "../../../src/app/commands.ts";
import { overBudget } from "../../../src/core/commands.ts";
import { sizeBytes } from "../../../src/core/setting_values.ts";
import { filesIn } from "../../support/directories.ts";
import { foreignReader } from "../../support/foreign_reader.ts";
import { call, get, post } from "../../support/http.ts";
import { openRoom } from "../../support/load.ts";
import { oldClient } from "../../support/mcp_clients.ts";
import { claim } from "../../support/names.ts";
import { startBinary, type TestService, type TestSettings } from "../../support/service.ts";
import { room_limits } from "../../../src/api/limits.ts";

const mb = 1_000_000;
/** 16 KB of UTF-8. */
const body = "🪵".repeat(room_limits.post_body_chars_max);

let service: TestService;
afterEach(() => service.stop());
const start = async (settings: TestSettings) => (service = await startBinary(settings));

interface Ready {
  status: string;
  checks: Record<string, { status: string; code?: string }>;
}
const readyz = () => get<Ready>(`${service.url}/readyz`);
const say = (room: string, text = body) =>
  post<{ id: string }>(`${service.url}/api/meet/rooms/${room}/posts`, { name: "ana", body: text });

/** The size of all files in the data directory. */
const usedBytes = (): number =>
  filesIn(service.directory).reduce(
    (sum, name) => sum + (statSync(join(service.directory, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );

/** Posts, `writers` at a time, until a post of each is refused. Returns the largest size of the directory. */
async function fill(room: string, writers = 8): Promise<number> {
  let most_bytes = 0;
  const write = async () => {
    for (;;) {
      const { status } = await say(room);
      most_bytes = Math.max(most_bytes, usedBytes());
      if (status !== 201) return;
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  return most_bytes;
}

describe("beyond --disk-max", () => {
  test("answers writes with 507 and Retry-After, still answers reads, and reports it at /readyz", async () => {
    await start({ disk_max_bytes: 10 * mb });
    expect((await readyz()).body.checks.disk).toEqual({ status: "ok" });
    const room = await openRoom(service.url);
    expect((await say(room, "hello")).status).toBe(201);
    const most_bytes = await fill(room);
    expect(most_bytes).toBeLessThan(10 * mb);
    expect(most_bytes).toBeGreaterThan(5 * mb);

    const refused = await say(room);
    expect(refused.status).toBe(507);
    expect(refused.headers.get("retry-after")).toBe("60");
    expect(refused.body).toMatchObject({ code: "disk_budget", retryable: true });
    expect((await post(`${service.url}/api/meet/rooms`, { goal: "More", name: "ana" })).status).toBe(507);
    expect((await post(`${service.url}/api/name`, { name: "ada" })).status).toBe(507);
    const ready = await readyz();
    expect(ready.status).toBe(503);
    expect(ready.body).toMatchObject({
      status: "unavailable",
      checks: { writes: { status: "ok" }, disk: { status: "failing", code: "disk_budget" } },
    });
    expect(service.output().match(/"event":"storage\.over_disk_budget","used_bytes":\d+/g)).toHaveLength(1);

    for (const path of [`/api/meet/rooms/${room}`, "/api/meet/rooms?q=hello", "/api/jobs"]) {
      expect([path, (await get(`${service.url}${path}`)).status]).toEqual([path, 200]);
    }
    expect((await fetch(`${service.url}/meet/r/${room}`)).status).toBe(200);
    const agent = await oldClient(`${service.url}/mcp`);
    expect((await agent.call("meet_read", { room })).isError).toBeFalsy();
    const spoken = await agent.call("meet_speak", { room, name: "ana", body: "hello" });
    expect(spoken.content[0]!.text).toContain("disk_budget");
    await agent.close();
  });

  test("still accepts calls that remove something", async () => {
    await start({ disk_max_bytes: 10 * mb });
    const ada = await claim(service.url, "ada");
    const slot = `${service.url}/api/locker/notes`;
    expect((await call("PUT", slot, { value: "x" }, ada.pair)).status).toBe(201);
    const job = await post<{ id: string }>(
      `${service.url}/api/jobs`,
      { title: "It", detail: "Do." },
      ada.pair,
    );
    const opened = await post<{ slug: string; host_key: string }>(`${service.url}/api/meet/rooms`, {
      goal: "Full",
      name: "ana",
    });
    const room = opened.body.slug;
    const host = { "x-meet-key": opened.body.host_key };
    const said = await say(room, "to be redacted @ada");
    await fill(room);

    const api = `${service.url}/api`;
    expect((await call("PUT", slot, { value: "y" }, ada.pair)).status).toBe(507);
    const outcomes = [
      await call("DELETE", `${api}/meet/rooms/${room}/posts/${said.body.id}`, undefined, host),
      await call("DELETE", slot, undefined, ada.pair),
      await post(`${api}/mailbox/reached`, { through: 1, by: "watch" }, ada.pair),
      await call("PUT", `${api}/mailbox/delivery`, { shown: false }, ada.pair),
      await call("DELETE", `${api}/mailbox`, undefined, ada.pair),
      await post(`${api}/jobs/${job.body.id}/withdraw`, undefined, ada.pair),
      await post(`${api}/meet/rooms/${room}/close`, undefined, host),
      await post(`${api}/name/rotate`, undefined, ada.pair),
    ];
    expect(outcomes.map(({ status }) => status)).toEqual(outcomes.map(() => 200));
  });

  test("continues the beacon", async () => {
    await start({ disk_max_bytes: 10 * mb, round_seconds: 1 });
    await fill(await openRoom(service.url));
    const now = async () =>
      (await get<{ now: { round: number }; clock: string }>(`${service.url}/api/beacon`)).body;
    const first = await now();
    let later = await now();
    while (later.now.round < first.now.round + 2) later = await now();
    expect(later.clock).not.toBe("held");
    expect((await readyz()).status).toBe(503);
  });

  test("counts every file in the directory, and accepts writes again when it is removed", async () => {
    await start({ disk_max_bytes: 10 * mb });
    const room = await openRoom(service.url);
    mkdirSync(join(service.directory, "backups", "old"), { recursive: true });
    const ballast = join(service.directory, "backups", "old", "copy.db");
    writeFileSync(ballast, new Uint8Array(10 * mb));
    while ((await say(room, "is it full?")).status === 201);
    expect((await readyz()).status).toBe(503);
    rmSync(ballast);
    while ((await readyz()).status === 503);
    expect((await say(room, "there is room")).status).toBe(201);
    expect(service.output()).toContain("storage.within_disk_budget");
  });

  test("is not exceeded by a burst of 64 writers", async () => {
    const max_bytes = 40 * mb;
    await start({ disk_max_bytes: max_bytes });
    const most_bytes = await fill(await openRoom(service.url), 64);
    console.log(`${most_bytes - max_bytes} bytes from the limit`);
    expect(most_bytes).toBeLessThan(max_bytes);
  });

  test("is not exceeded if another process prevents a log reset, and has room when that process ends", async () => {
    const max_bytes = 40 * mb;
    await start({ disk_max_bytes: max_bytes });
    const room = await openRoom(service.url);
    const reader = await foreignReader(service.directory, "hold");
    expect(await fill(room)).toBeLessThan(max_bytes);
    expect((await get(`${service.url}/api/meet/rooms/${room}?limit=1`)).status).toBe(200);
    const log_bytes = () => statSync(join(service.directory, "wharf.db-wal")).size;
    expect(log_bytes()).toBeGreaterThan(max_bytes / 3);
    await reader.release();
    while ((await readyz()).status === 503);
    expect(log_bytes()).toBeLessThan(max_bytes / 3);
    expect((await say(room)).status).toBe(201);
  });
});

test("refuses writes beyond --disk-min-free from the start on, and still answers reads", async () => {
  await start({ disk_min_free_bytes: 500 * 10 ** 12 });
  expect((await post(`${service.url}/api/meet/rooms`, { goal: "Full", name: "ana" })).status).toBe(507);
  expect((await readyz()).body.checks.disk).toEqual({ status: "failing", code: "disk_budget" });
  expect((await get(`${service.url}/api/meet/rooms`)).status).toBe(200);
});

test("applies no limit if it is 0", async () => {
  await start({ disk_max_bytes: 0, disk_min_free_bytes: 0 });
  const room = await openRoom(service.url);
  expect((await say(room)).status).toBe(201);
  expect((await readyz()).status).toBe(200);
});

test("exempts only commands that state why, and lets the internal index commands wait for space", () => {
  const named = (rule: string) =>
    Object.keys(command_definitions)
      .filter((name) => overBudget(command_definitions, name) === rule)
      .toSorted();
  const internal = Object.entries(command_definitions).filter(
    ([, definition]) => "bounded_because" in definition,
  );
  const waiting = internal.map(([name]) => name).filter((name) => named("never").includes(name));
  expect(waiting.toSorted()).toEqual(["jobs.index", "rooms.index"]);
  const with_reason = Object.entries(command_definitions).filter(
    ([, definition]) => "over_budget_because" in definition,
  );
  expect(named("reserve")).toEqual(with_reason.map(([name]) => name).toSorted());
});

test.each([
  ["0", 0],
  ["123", 123],
  ["500MB", 500_000_000],
  ["10 gb", 10_000_000_000],
  ["1.5GiB", 1.5 * 2 ** 30],
])("parses the size %s", (text, bytes) => {
  expect(sizeBytes(text)).toBe(bytes);
});

test.each(["", "GB", "-1", "10 apples", "1e9", "0x10", "99999999TB"])("refuses the size '%s'", (text) => {
  expect(() => sizeBytes(text)).toThrow("must be a size such as 500MB or 10GB");
});
