/** Which of many webhooks are called first: receivers that are dead, slow or many delay nobody else. */

import { afterEach, expect, test } from "bun:test";
import { CallQueue, type Waiting } from "../../src/webhooks/call_queue.ts";
import { canonicalName } from "../../src/names/canonical.ts";
import { FakeClock } from "../support/clock.ts";
import { newDirectory, removeDirectory, startSource, type SourceService } from "../support/service.ts";
import { claim } from "../support/names.ts";
import { mentioning, seenWebhook, setWebhook } from "../support/webhook_names.ts";
import { post } from "../support/http.ts";
import { calling, passUntil, startReceiver } from "../support/webhook_receivers.ts";
import { addWebhooks, type WebhookOfRow } from "../support/webhook_rows.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A receiver at every address of 127.0.0.0/8. It answers those whose path is /good, and nobody else. */
function startReceivers() {
  /** The names that were called, by path. */
  const called = { good: [] as string[], silent: [] as string[] };
  let closed = 0;
  const server = Bun.serve({
    hostname: "0.0.0.0",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const path = new URL(request.url).pathname.slice(1) as keyof typeof called;
      const { data } = (await request.json()) as { data: { name: string } };
      called[path].push(data.name);
      if (path === "good") return new Response(null, { status: 204 });
      request.signal.addEventListener("abort", () => closed++);
      return new Promise<Response>(() => {});
    },
  });
  ends.push(() => server.stop(true));
  let hosts = 0;
  return {
    called,
    closed: () => closed,
    /** The URL of a receiver, at a host of its own. */
    urlOf(path: keyof typeof called, host = ++hosts): string {
      return `http://127.1.${host >> 8}.${host & 255}:${server.port}/${path}`;
    },
  };
}

/** Starts a service with these webhooks, each of which is due. */
async function serviceWith(webhooks: readonly WebhookOfRow[]): Promise<SourceService> {
  const directory = newDirectory();
  ends.push(() => removeDirectory(directory));
  await (await startSource({ ...calling, data_dir: directory })).stop();
  await addWebhooks(directory, webhooks);
  const service = await startSource({ ...calling, data_dir: directory }, new FakeClock(), 2);
  ends.push(service.stop);
  // It has read all of them when those are due that it has read last.
  return service;
}

const nameOf = (prefix: string, i: number): string => canonicalName(`${prefix}-${i}`);

const many = (count: number, of: (i: number) => WebhookOfRow): WebhookOfRow[] =>
  Array.from({ length: count }, (_, i) => of(i));

test("2,000 receivers that are dead, silent or refuse connections do not delay the calls of 100 others", async () => {
  const { called, closed, urlOf } = startReceivers();
  const bad = many(2_000, (i) => ({
    name: nameOf("bad", i),
    // Nothing listens at the last port.
    url: i % 2 === 0 ? urlOf("silent") : "http://127.0.0.1:9/refused",
    is_slow: true,
  }));
  const good = many(100, (i) => ({
    name: nameOf("good", i),
    url: urlOf("good"),
  }));
  const service = await serviceWith([...bad, ...good]);
  await passUntil(service, () => called.good.length === good.length);
  expect(new Set(called.good).size).toBe(good.length);
  // The silent ones got some calls beside. None of these has ended: nobody waited for one.
  expect(called.silent.length).toBeWithin(1, 17);
  expect(closed()).toBe(0);
});

test("receivers that have become silent delay the calls of others by a second at most", async () => {
  const { called, closed, urlOf } = startReceivers();
  const silent = many(120, (i) => ({
    name: nameOf("a", i),
    url: urlOf("silent"),
  }));
  const good = many(20, (i) => ({
    name: nameOf("good", i),
    url: urlOf("good"),
  }));
  const service = await serviceWith([...silent, ...good]);
  await passUntil(service, () => called.good.length === good.length);
  expect(called.silent.length).toBeGreaterThan(32);
  expect(closed()).toBe(0);
});

test("a host with many webhooks takes turns with others, and one with many silent receivers gets few calls", async () => {
  const { called, urlOf } = startReceivers();
  const host = 60_000;
  const of_host = many(300, (i) => ({ name: nameOf("a", i), url: urlOf("good", host) }));
  const silent = many(40, (i) => ({ name: nameOf("b", i), url: urlOf("silent", host + 1) }));
  const others = many(5, (i) => ({ name: nameOf("z", i), url: urlOf("good") }));
  const service = await serviceWith([...of_host, ...silent, ...others]);
  await passUntil(service, () => called.good.filter((name) => name.startsWith("z")).length === others.length);
  // Each of the others had its turn after one of the host, and up to 32 calls are under way.
  expect(called.good.length).toBeLessThanOrEqual(others.length + 6 + 32);
  await passUntil(service, () => called.good.length === of_host.length + others.length);
  expect(called.silent.length).toBeWithin(8, 33);
});

test("after a test that succeeds, a receiver that has failed does not wait with slow ones", async () => {
  const { called, closed, urlOf } = startReceivers();
  // They take all places of slow ones, and more of them wait.
  const silent = many(40, (i) => ({ name: nameOf("a", i), url: urlOf("silent"), is_slow: true }));
  const service = await serviceWith(silent);
  const { url } = service;
  await passUntil(service, () => called.silent.length === 16);
  const [who, receiver] = [
    await claim(url, "mended"),
    startReceiver(() => new Response(null, { status: 503 })),
  ];
  ends.push(receiver.stop);
  await setWebhook(url, who, { url: receiver.url });
  const mention = await mentioning(url);
  await mention(who);
  await passUntil(service, () => receiver.calls.length === 1);
  await seenWebhook(url, who, ({ call }) => call?.next_try_at !== undefined);
  receiver.answering = () => undefined;
  await post(`${url}/api/mailbox/webhook/test`, {}, who.pair);
  await passUntil(service, () => receiver.calls.length === 3);
  expect(closed()).toBe(0);
});

test("receivers that have become silent do not delay the calls of others at their host", async () => {
  const { called, closed, urlOf } = startReceivers();
  const host = 60_000;
  const silent = many(20, (i) => ({ name: nameOf("a", i), url: urlOf("silent", host) }));
  const good = many(20, (i) => ({ name: nameOf("good", i), url: urlOf("good", host) }));
  const service = await serviceWith([...silent, ...good]);
  await passUntil(service, () => called.good.length === good.length);
  expect(called.silent.length).toBe(silent.length);
  expect(closed()).toBe(0);
});

test("a host has at most 4 calls of slow receivers, 8 calls in all, and 32 with those that have become late", () => {
  const queue = new CallQueue();
  let added = 0;
  const add = (count: number, is_slow: boolean) => {
    for (const _ of Array(count)) queue.add({ owner: `one-${++added}`, host: "a.example", is_slow });
  };
  /** Begins all calls that may begin. */
  const begin = (): Waiting[] => {
    const begun: Waiting[] = [];
    for (let one = queue.next(); one; one = queue.next()) begun.push(one);
    return begun;
  };
  const slowOf = (some: readonly Waiting[]) => some.filter(({ is_slow }) => is_slow).length;
  add(40, true);
  const slow = begin();
  expect(slow.length).toBe(4);
  add(60, false);
  const counts: number[] = [];
  const late: Waiting[] = [];
  for (let quick = begin(); quick.length > 0; quick = begin()) {
    counts.push(quick.length);
    expect(slowOf(quick)).toBe(0);
    for (const one of quick) queue.late(one);
    late.push(...quick);
  }
  expect(counts).toEqual([4, 4, 4, 4, 4, 4, 4]);
  // A place is free for a quick one as soon as a call has ended, and for a slow one when fewer than four are left.
  queue.done(late.pop()!);
  expect(begin().map(({ is_slow }) => is_slow)).toEqual([false]);
  // Late calls to one host take no places from the slow ones of others.
  queue.add({ owner: "other", host: "b.example", is_slow: true });
  expect(begin().map(({ owner }) => owner)).toEqual(["other"]);
  for (const one of [...slow, ...late]) queue.done(one);
  expect(begin().length).toBe(7);
});
