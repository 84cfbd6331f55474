/** POST /_dev/clock: everything that falls due has run when the answer comes. */

import { describe, expect, test } from "bun:test";
import { default_config } from "../../src/core/settings.ts";
import { createDevClock } from "../../src/dev/clock.ts";
import { createInstance } from "../../src/dev/instance.ts";
import { web_limits } from "../../src/web/limits.ts";
import { devState, setClock, startDev, untilOpen } from "../support/dev.ts";
import { get, post } from "../support/http.ts";
import { callJob, notesOf, postJob, readJob } from "../support/jobs.ts";
import { claim } from "../support/names.ts";

const start_ms = Date.parse("2030-01-01T00:00:00.000Z");
const after = (seconds: number) => new Date(start_ms + seconds * 1000).toISOString();

/** The text that a connection sends, as it comes. */
async function reading(url: string, path: string, headers: Record<string, string> = {}) {
  const { hostname, port, host } = new URL(url);
  let text = "";
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: { data: (_socket, chunk) => void (text += chunk.toString()) },
  });
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
  return { text: () => text, close: () => void socket.end() };
}

test("after 61 minutes a lock has expired, both sides know, and a wait for it is answered", async () => {
  const { url } = await startDev();
  const poster = await claim(url, "ana");
  const holder = await claim(url, "bo");
  const { id } = await postJob(url, poster);
  expect((await callJob(url, holder, id, "claim")).status).toBe(200);
  const { next_since } = (await get<{ next_since: number }>(`${url}/api/mailbox`, poster.pair)).body;

  const wait = await reading(url, `/api/mailbox?since=${next_since}&wait_seconds=50`, poster.pair);
  const waits = await reading(url, `/api/wait?mailbox=${next_since}&wait_seconds=50`, poster.pair);
  await untilOpen(url, { waits: 2 });
  expect((await setClock(url, { advance_seconds: 40 })).body).toEqual({ now: after(40), frozen: true });
  expect(wait.text() + waits.text()).toBe("");
  // Their time is up.
  await setClock(url, { advance_seconds: 20 });
  for (const { text } of [wait, waits]) expect(text()).toStartWith("HTTP/1.1 200 OK");
  expect((await readJob(url, id)).state).toBe("held");

  await setClock(url, { now: after(3599) });
  const late = await reading(url, `/api/mailbox?since=${next_since}&wait_seconds=50`, poster.pair);
  const lates = await reading(url, `/api/wait?mailbox=${next_since}&wait_seconds=50`, poster.pair);
  await untilOpen(url, { waits: 2 });
  expect((await setClock(url, { now: after(61 * 60) })).body).toEqual({ now: after(3660), frozen: true });
  for (const { text } of [late, lates]) expect(text()).toContain("job.lapsed");
  expect((await readJob(url, id)).state).toBe("open");
  for (const side of [poster, holder]) {
    expect((await notesOf(url, side)).at(-1)).toMatchObject({ kind: "job.lapsed", at: after(3600) });
  }
  for (const { close } of [wait, waits, late, lates]) close();
});

test("streams send their heartbeats and events before the answer", async () => {
  const { url } = await startDev();
  const { body } = await post<{ slug: string }>(`${url}/api/meet/rooms`, {
    goal: "Which harbour?",
    name: "ana",
  });
  const stream = await reading(url, `/api/meet/rooms/${body.slug}/stream`);
  await untilOpen(url, { streams: 1 });
  await setClock(url, { advance_seconds: 61 });
  expect(stream.text().match(/: still here/g)).toHaveLength(4);
  stream.close();
});

test("a round ends at its end, and a wait for its seed is answered", async () => {
  const { url } = await startDev();
  await setClock(url, { advance_seconds: 10 });
  const { round } = (await get<{ now: { round: number } }>(`${url}/api/beacon`)).body.now;
  const wait = await reading(url, `/api/beacon/${round}?wait_seconds=50`);
  await untilOpen(url, { waits: 1 });
  await setClock(url, { advance_seconds: 49.999 });
  expect(wait.text()).toBe("");
  await setClock(url, { advance_seconds: 0.001 });
  expect(wait.text()).toMatch(/"seed":"[0-9a-f]{64}"/);
  wait.close();
});

test("a stopped clock stands still, and a running one runs on from the time that was set", async () => {
  const { url } = await startDev();
  await Bun.sleep(20);
  expect(await devState(url)).toMatchObject({ now: after(0), frozen: true });
  expect((await setClock(url, { advance_seconds: 10, frozen: false })).body.frozen).toBe(false);
  await Bun.sleep(20);
  const { now } = await devState(url);
  expect(now > after(10.015) && now < after(40)).toBe(true);
  expect((await setClock(url, { advance_seconds: 100, frozen: true })).body.frozen).toBe(true);
  const stopped = await devState(url);
  await Bun.sleep(20);
  expect((await devState(url)).now).toBe(stopped.now);
});

test("an advance does not disconnect a reader of a large answer", async () => {
  const { url } = await startDev();
  const whole = await (await fetch(`${url}/openapi.json`)).bytes();
  expect(whole.length).toBeGreaterThan(web_limits.whole_body_bytes_max);
  const config = { ...default_config, data_dir: "/nowhere" };
  const deps = { in_memory: true, writeLog() {}, origin: () => url, urls: () => [url] };
  const state = { clock: { now_ms: start_ms, is_frozen: true }, random: { seed: 1n, id_ms: 0, id_count: 0 } };
  const connection = { peer: () => "::1", setIdleSeconds() {} };
  const instance = await createInstance({ config, ...deps, ...connection }, state);
  const { body } = await instance.fetch(
    new Request(`${url}/openapi.json`, { headers: { host: new URL(url).host } }),
  );
  const reader = body!.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  let { length } = (await reader.read()).value!;
  await instance.setClock((now_ms) => now_ms + 3_660_000);
  for (let part = await reader.read(); !part.done; part = await reader.read()) length += part.value.length;
  expect(length).toBe(whole.length);
  await instance.close();
});

test("requests that come during an advance see its end", async () => {
  const { url } = await startDev();
  const advance = setClock(url, { advance_seconds: 86_400 });
  await Bun.sleep(5);
  const { body } = await post<{ created: string }>(`${url}/api/meet/rooms`, { goal: "When?", name: "ana" });
  expect(body.created).toBe(after(86_400));
  expect((await advance).body.now).toBe(after(86_400));
});

describe("refusals leave the clock as it was", () => {
  const refused: [string, object, string, string][] = [
    ["a time that has passed", { now: after(99) }, "clock_goes_back", "POST /_dev/reset"],
    ["more than 31 days", { advance_seconds: 31 * 86_400 + 1 }, "invalid_fields", "Call again"],
    ["a time beyond 31 days", { now: "2031-01-01T00:00:00Z" }, "invalid_fields", "Call again"],
    ["a negative number", { advance_seconds: -1 }, "clock_goes_back", "POST /_dev/reset"],
    ["no change", {}, "invalid_fields", ""],
    ["two times", { advance_seconds: 1, now: after(200) }, "invalid_fields", ""],
    ["a wrong type", { frozen: 3 }, "invalid_fields", ""],
    ["no time", { now: "tomorrow" }, "invalid_fields", ""],
    ["a mistyped field", { advance_second: 1 }, "unknown_field", ""],
    [
      "an unknown field",
      { advance_seconds: 1, colour: "red" },
      "unknown_field",
      "Send only: advance_seconds",
    ],
  ];
  for (const [what, change, code, hint] of refused) {
    test(what, async () => {
      const { url } = await startDev();
      await setClock(url, { advance_seconds: 100 });
      const { status, body, headers } = await setClock(url, { ...change });
      expect([status, body.code]).toEqual([422, code]);
      if (hint) expect(body.hint).toContain(hint);
      expect(headers.get("cache-control")).toBe("no-store");
      expect(await devState(url)).toMatchObject({ now: after(100), frozen: true });
    });
  }
});

describe("the clock", () => {
  const settled = async () => {};

  test("runs timers in the order of their times, also those that timers set", async () => {
    const clock = createDevClock({ now_ms: 0, is_frozen: true });
    const ran: string[] = [];
    const note = (name: string) => () => void ran.push(`${name} at ${clock.now()}`);
    clock.after(30, note("c"));
    clock.after(10, () => {
      note("a")();
      clock.after(5, note("b"));
      clock.after(0, note("at once"));
      clock.after(1000, note("never"));
    });
    clock.after(10, note("a too"));
    await clock.runTo(100, settled);
    expect(ran).toEqual(["a at 10", "a too at 10", "at once at 10", "b at 15", "c at 30"]);
    expect(clock.now()).toBe(100);
  });

  test("does not run a timer that another of the same time has cancelled", async () => {
    const clock = createDevClock({ now_ms: 0, is_frozen: true });
    let cancel = () => {};
    let has_run = false;
    clock.after(10, () => cancel());
    cancel = clock.after(10, () => (has_run = true));
    await clock.runTo(10, settled);
    expect(has_run).toBe(false);
  });

  test("runs timers by itself while it is not stopped", async () => {
    const clock = createDevClock({ now_ms: 0, is_frozen: true });
    const { promise, resolve } = Promise.withResolvers<void>();
    clock.after(10, resolve);
    await Bun.sleep(20);
    expect(clock.now()).toBe(0);
    clock.freeze(false);
    await promise;
    expect(clock.now()).toBeGreaterThanOrEqual(10);
    clock.close();
  });
});
