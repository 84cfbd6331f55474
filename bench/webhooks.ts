/**
 * Reads and durable posts of others while 10,000 webhooks are called, what so many cost whose receivers are down, and what a post costs that
 * mentions a name with a webhook.
 */

import { isoTime } from "../src/core/clock.ts";
import { insertOf } from "../src/storage/rows.ts";
import { migrate } from "../src/storage/sqlite/migrate.ts";
import { change } from "./filled.ts";
import { getRequest, load, postRequest } from "./load.ts";
import { median, sideBySide } from "./rounds.ts";
import {
  a_post,
  allAtRest,
  costOfRequests_us,
  cpuTicks,
  newDirectory,
  openRoom,
  serveCommand,
  start,
  tick_us,
  type Server,
} from "./servers.ts";
import { microseconds, perSecond, whole, type Row } from "./table.ts";

const webhooks = 10_000;
const rounds = 3;
const measured_seconds = 8;
/** A process that has just begun is slower. */
const warm_seconds = 4;
/** Calls after which their rate is known. */
const drained = 2_000;
const rates = { reads: 1_000, writes: 300 };
const written = Array.from({ length: 24 }, (_, i) => `written-${i + 1}`);
const calling = ["--webhooks", "--fetch-allow", "127.0.0.0/8"];

/** A receiver at every address of this machine. */
function startReceiver() {
  let calls = 0;
  const server = Bun.serve({
    hostname: "0.0.0.0",
    port: 0,
    async fetch(request) {
      await request.text();
      calls++;
      return new Response(null, { status: 204 });
    },
  });
  return {
    calls: () => calls,
    urlOf: (host: number) => `http://127.1.${host >> 8}.${host & 255}:${server.port}/`,
    stop: () => server.stop(true),
  };
}

/** Adds a name, with a webhook for its unread note if it has a `url`. */
const addName = (directory: string, names: readonly { name: string; url?: string }[]): Promise<void> =>
  change(directory, async (tx) => {
    migrate(tx.database);
    const at = isoTime(Date.now());
    for (const { name, url } of names) {
      const key = { key_sha256: `key of ${name}`, key_changed: at, recovery_sha256: `code of ${name}` };
      const used = { created: at, last_act: at, look: name };
      await tx.run(...insertOf("names", { canonical: name, name, ...key, ...used }));
      if (url === undefined) continue;
      await tx.run(...insertOf("mailboxes", { owner: name, last_seq: 1 }));
      const note = { owner: name, seq: 1, id: Bun.randomUUIDv7(), at, kind: "job.claimed", content: "{}" };
      await tx.run(...insertOf("notes", note));
      const salt = "00112233445566778899aabbccddeeff";
      const row = { owner: name, id: Bun.randomUUIDv7(), url, salt, created: at, through: 0 };
      await tx.run(...insertOf("webhooks", row));
    }
  });

/** A name in its canonical form, which has a letter in place of some digits. */
const nameOf = (i: number): string =>
  `called-${`${i}`.replaceAll(/\d/g, (digit) => "abcdefghij"[Number(digit)]!)}`;

export const benchWebhooks = async (): Promise<Row[]> => [
  ...(await benchDrain()),
  await benchOutage(),
  await benchMention(),
];

async function benchDrain(): Promise<Row[]> {
  const directory = newDirectory();
  const receiver = startReceiver();
  const names = Array.from({ length: webhooks }, (_, i) => ({
    name: nameOf(i),
    url: receiver.urlOf(i % 1_000),
  }));
  await addName(directory, names);
  const served = async (...more: string[]) => start([...serveCommand(directory), ...more]);
  const first = await served();
  await openRoom(first.url, "read", 50);
  for (const slug of written) await openRoom(first.url, slug);
  await first.stop();

  /** The p99 of reads and of posts, in microseconds. */
  async function measured(
    { url }: Server,
    seconds = measured_seconds,
  ): Promise<{ reads: number; writes: number }> {
    const at = (requests: string[], rate: number) => load(url, { requests, connections: 16, rate, seconds });
    const posting = written.map((slug) => postRequest(url, `/api/meet/rooms/${slug}/posts`, a_post));
    const [reads, writes] = await Promise.all([
      at([getRequest(url, "/api/meet/rooms/read")], rates.reads),
      at(posting, rates.writes),
    ]);
    return { reads: reads.p99_us, writes: writes.p99_us };
  }

  const seen: Record<"without" | "beside", Awaited<ReturnType<typeof measured>>[]> = {
    without: [],
    beside: [],
  };
  for (let round = 1; round <= rounds; round++) {
    const without = await served();
    await allAtRest();
    await measured(without, warm_seconds);
    seen.without.push(await measured(without));
    await without.stop();
    const before = receiver.calls();
    const beside = await served(...calling);
    while (receiver.calls() === before) await Bun.sleep(10);
    await measured(beside, warm_seconds);
    seen.beside.push(await measured(beside));
    if (receiver.calls() >= webhooks) throw new Error("All calls were made before the measurement ended.");
    await beside.stop();
  }
  const [before, began_ms] = [receiver.calls(), performance.now()];
  const draining = await served(...calling);
  while (receiver.calls() < before + drained) await Bun.sleep(10);
  const per_second = ((receiver.calls() - before) * 1000) / (performance.now() - began_ms);
  await draining.stop();
  await receiver.stop();

  const p99 = (kind: "reads" | "writes", when: "without" | "beside") =>
    median(seen[when].map((values) => values[kind]));
  const row = (kind: "reads" | "writes", what: string): Row => ({
    what: `${what} beside the calls of ${whole(webhooks)} webhooks that are due at once (p99)`,
    value: microseconds(p99(kind, "beside")),
    compared: `${microseconds(p99(kind, "without"))} without`,
    ratio: p99(kind, "beside") / p99(kind, "without"),
    goal: { at_most: 2 },
  });
  return [
    row("reads", `${whole(rates.reads)} reads/s`),
    row("writes", `${whole(rates.writes)} durable posts/s`),
    {
      what: `calls of ${whole(webhooks)} webhooks that are due at once`,
      value: perSecond(per_second),
      bound: { text: "≤ 50/s", is_met: per_second <= 50 },
    },
  ];
}

/** A port of this machine at which nothing listens. */
const refused = "http://127.0.0.1:9/";

/** The processor time of a service in a second while as many receivers as `webhooks` have failed and are due again, in milliseconds. */
async function outageCost(webhooks: number): Promise<number> {
  const directory = newDirectory();
  await addName(
    directory,
    Array.from({ length: webhooks }, (_, i) => ({ name: nameOf(i), url: refused })),
  );
  // Each at another moment of the last minute.
  await change(directory, async (tx) => {
    for (let i = 0; i < webhooks; i++) {
      const due = isoTime(Date.now() - (60_000 * (i + 1)) / webhooks);
      await tx.run("UPDATE webhooks SET next_at = $1 WHERE owner = $2", due, nameOf(i));
    }
  });
  const server = await start([...serveCommand(directory), ...calling]);
  await Bun.sleep(warm_seconds * 1000);
  const before = cpuTicks([server]);
  await Bun.sleep(measured_seconds * 1000);
  const used_us = (cpuTicks([server]) - before) * tick_us;
  await server.stop();
  return used_us / 1000 / measured_seconds;
}

async function benchOutage(): Promise<Row> {
  const few = webhooks / 10;
  const cost = await sideBySide(3, { many: () => outageCost(webhooks), few: () => outageCost(few) });
  const milliseconds = (value: number): string => `${whole(value)} ms`;
  return {
    what: `CPU time in a second while the receivers of ${whole(webhooks)} webhooks are down`,
    value: milliseconds(cost.many),
    compared: `${milliseconds(cost.few)} with ${whole(few)}`,
    ratio: cost.many / cost.few,
    goal: { at_most: 2 },
  };
}

async function benchMention(): Promise<Row> {
  const directory = newDirectory();
  const receiver = startReceiver();
  await addName(directory, [{ name: "with", url: receiver.urlOf(1) }, { name: "without" }]);
  const server = await start([...serveCommand(directory), ...calling]);
  await openRoom(server.url, "posts");
  const mentioning = (name: string) => () =>
    costOfRequests_us(server, () => {
      const body = { name: "Bench", body: `@${name} ${a_post.body}` };
      const requests = [postRequest(server.url, "/api/meet/rooms/posts/posts", body)];
      return load(server.url, { requests, connections: 16, seconds: 3 });
    });
  const cost = await sideBySide(5, { with: mentioning("with"), without: mentioning("without") });
  await server.stop();
  await receiver.stop();
  return {
    what: "CPU time of a durable post that mentions a name with a webhook, 16 connections",
    value: microseconds(cost.with),
    compared: `${microseconds(cost.without)} with one that has none`,
    ratio: cost.with / cost.without,
    goal: { at_most: 1.1 },
  };
}
