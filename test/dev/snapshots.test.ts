/** /_dev/snapshots: named states to which a test returns. */

import { describe, expect, test } from "bun:test";
import { dev_limits } from "../../src/dev/limits.ts";
import { devState, setClock, startDev, untilOpen } from "../support/dev.ts";
import { call, get, post } from "../support/http.ts";
import { claim } from "../support/names.ts";

interface Snapshots {
  snapshots: { name: string; at: string; bytes: number }[];
}

const snapshots = (url: string) => `${url}/_dev/snapshots`;
const rooms = (url: string) => `${url}/api/meet/rooms`;
const open = (url: string, goal: string) => post<{ slug: string }>(rooms(url), { goal, name: "ana" });
const goals = async (url: string) =>
  (await get<{ rooms: { goal: string }[] }>(rooms(url))).body.rooms.map(({ goal }) => goal).sort();

for (const in_memory of [true, false]) {
  describe(in_memory ? "in memory" : "on disk", () => {
    test("returns to the data, the time and the random numbers of a snapshot", async () => {
      const { url } = await startDev({ in_memory });
      const ana = await claim(url, "ana");
      await setClock(url, { advance_seconds: 60 });
      const made = await post(snapshots(url), { name: "with-ana" });
      expect(made.status).toBe(201);
      expect(made.body).toMatchObject({ name: "with-ana", at: "2030-01-01T00:01:00.000Z" });
      const first = await post(rooms(url), { goal: "North or south?", name: "bo" });
      await setClock(url, { advance_seconds: 3600, frozen: false });

      const restored = await post(`${snapshots(url)}/with-ana/restore`);
      expect(restored.status).toBe(200);
      expect(restored.body).toMatchObject({ now: "2030-01-01T00:01:00.000Z", frozen: true });
      expect(await goals(url)).toEqual([]);
      expect((await get(`${url}/api/mailbox`, ana.pair)).status).toBe(200);
      expect((await post(rooms(url), { goal: "North or south?", name: "bo" })).body).toEqual(first.body);

      await post(`${url}/_dev/reset`);
      expect((await get<Snapshots>(snapshots(url))).body.snapshots.map(({ name }) => name)).toEqual([
        "with-ana",
      ]);
      await post(`${snapshots(url)}/with-ana/restore`);
      expect((await get(`${url}/api/mailbox`, ana.pair)).status).toBe(200);
    });
  });
}

test("replaces a snapshot of the same name, lists them, and deletes them", async () => {
  const { url } = await startDev();
  await open(url, "One");
  await post(snapshots(url), { name: "a" });
  await open(url, "Two");
  await post(snapshots(url), { name: "a" });
  await post(snapshots(url), { name: "b_2" });
  const { snapshots: listed } = (await get<Snapshots>(snapshots(url))).body;
  expect(listed.map(({ name }) => name)).toEqual(["a", "b_2"]);
  expect(listed[0]!.bytes).toBeGreaterThan(50_000);
  expect(await devState(url)).toMatchObject({ snapshots: listed });
  await open(url, "Three");
  await post(`${snapshots(url)}/a/restore`);
  expect(await goals(url)).toEqual(["One", "Two"]);
  expect((await call("DELETE", `${snapshots(url)}/a`)).body).toEqual({ deleted: "a" });
  for (const gone of [call("DELETE", `${snapshots(url)}/a`), post(`${snapshots(url)}/a/restore`)]) {
    const { status, body } = await gone;
    expect([status, body.code]).toEqual([404, "snapshot_not_found"]);
    expect(body.hint).toContain("GET /_dev/snapshots");
  }
  expect(await goals(url)).toEqual(["One", "Two"]);
});

test("ends streams and waits", async () => {
  const { url } = await startDev();
  const { body } = await open(url, "One");
  await post(snapshots(url), { name: "a" });
  const stream = await fetch(`${rooms(url)}/${body.slug}/stream`);
  const wait = get(`${url}/api/wait?rooms=now&wait_seconds=50`);
  await untilOpen(url, { waits: 1, streams: 1 });
  await post(`${snapshots(url)}/a/restore`);
  await stream.text();
  expect((await wait).status).toBe(200);
  expect((await devState(url)).open).toMatchObject({ streams: 0, waits: 0 });
});

test("finds what was written just before a snapshot", async () => {
  const { url } = await startDev();
  await open(url, "Which lighthouse is tallest?");
  await post(snapshots(url), { name: "a" });
  await post(`${snapshots(url)}/a/restore`);
  const { body } = await get<{ rooms: unknown[] }>(`${rooms(url)}?q=lighthouse`);
  expect(body.rooms).toHaveLength(1);
});

describe("refuses", () => {
  const refused: [string, object, string][] = [
    ["a name with other characters", { name: "Anna" }, "invalid_fields"],
    ["a name that is too long", { name: "a".repeat(65) }, "invalid_fields"],
    ["an empty name", { name: "" }, "invalid_fields"],
    ["no name", {}, "invalid_fields"],
    ["a name that is no text", { name: ["a", "b"] }, "invalid_fields"],
    ["an unknown field", { name: "a", colour: "red" }, "unknown_field"],
  ];
  for (const [what, body, code] of refused) {
    test(what, async () => {
      const { url } = await startDev();
      const answer = await post(snapshots(url), body);
      expect([answer.status, answer.body.code]).toEqual([422, code]);
    });
  }

  test("more snapshots than there may be, but not one that replaces another", async () => {
    const { url } = await startDev();
    for (let i = 0; i < dev_limits.snapshots_max; i++) await post(snapshots(url), { name: `s${i}` });
    const { status, body } = await post(snapshots(url), { name: "one-more" });
    expect([status, body.code]).toEqual([409, "too_many_snapshots"]);
    expect((await post(snapshots(url), { name: "s0" })).status).toBe(201);
  });
});
