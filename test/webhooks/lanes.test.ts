/** Which of many webhooks are called first: receivers that are dead, slow or many delay nobody else. */

import { afterEach, expect, test } from "bun:test";
import { canonicalName } from "../../src/names/canonical.ts";
import { FakeClock } from "../support/clock.ts";
import { newDirectory, removeDirectory, startSource, type SourceService } from "../support/service.ts";
import { calling, passUntil } from "../support/webhook_receivers.ts";
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

test("a host with many webhooks gets eight calls at once, and takes turns with others", async () => {
  const { called, urlOf } = startReceivers();
  const host = 60_000;
  const of_host = many(300, (i) => ({ name: nameOf("a", i), url: urlOf("good", host) }));
  const silent = many(30, (i) => ({ name: nameOf("b", i), url: urlOf("silent", host + 1) }));
  const others = many(5, (i) => ({ name: nameOf("z", i), url: urlOf("good") }));
  const service = await serviceWith([...of_host, ...silent, ...others]);
  await passUntil(service, () => called.good.filter((name) => name.startsWith("z")).length === others.length);
  // Each of the others had its turn after one of the host, and up to 32 calls are under way.
  expect(called.good.length).toBeLessThanOrEqual(others.length + 6 + 32);
  await passUntil(service, () => called.good.length === of_host.length + others.length);
  expect(called.silent.length).toBe(8);
});
