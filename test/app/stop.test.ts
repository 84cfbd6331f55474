/** SIGTERM under load: running calls are answered, waits and streams end, and no data is lost. */

import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { systemClock } from "../../src/core/clock.ts";
import { createLog } from "../../src/core/log.ts";
import { serve } from "../../src/app/serve.ts";
import { default_config } from "../../src/core/settings.ts";
import { FakeClock } from "../support/clock.ts";
import { get } from "../support/http.ts";
import { expectStored, Ledger, openRoom, readAll, Site, writeOn } from "../support/load.ts";
import { seededRandom } from "../../src/dev/random.ts";
import { openConnection } from "../support/raw.ts";
import { testRandom } from "../support/seed.ts";
import { newDirectory, removeDirectory, startBinary } from "../support/service.ts";
import { eventsOf } from "../support/sse.ts";

const stops = 5;
const writers = 32;
/** The time limit of a stop, after which the test kills the process. */
const stop_seconds_max = 60;

/** Reads a stream to its end. Returns the number of events. */
async function drain(url: string): Promise<number> {
  let events = 0;
  for await (const _ of eventsOf(await fetch(url))) events++;
  return events;
}

test(`loses no acknowledged post on SIGTERM under load, ${stops} times`, async () => {
  const { below } = testRandom("SIGTERM");
  const data_dir = newDirectory();
  let service = await startBinary({ data_dir });
  const busy = await openRoom(service.url, "A busy room");
  const quiet = await openRoom(service.url, "A quiet room");
  const ledger = new Ledger();

  for (let stop = 0; stop < stops; stop++) {
    const site = new Site();
    site.open(service.url);
    const rooms = `${service.url}/api/meet/rooms`;
    const waits = Array.from({ length: 20 }, () =>
      get<{ posts: unknown[] }>(`${rooms}/${quiet}?since=2999-01-01T00:00:00.000Z&wait_seconds=50`),
    );
    const streams = Array.from({ length: 20 }, (_, i) => drain(`${rooms}/${i % 2 ? busy : quiet}/stream`));
    const writing = Array.from({ length: writers }, (_, i) =>
      writeOn(site, busy, `writer-${stop}-${i}`, ledger, { body_chars: 200, resend: false }),
    );
    await ledger.more(100 + below(2_000));
    const { process } = service;
    process.kill("SIGTERM");
    const late = setTimeout(() => process.kill("SIGKILL"), stop_seconds_max * 1000);
    expect(await process.exited).toBe(0);
    clearTimeout(late);

    for (const { status, body } of await Promise.all(waits)) {
      expect(status).toBe(200);
      expect(body.posts).toEqual([]);
    }
    await Promise.all(streams);
    // The log has been written into the database file.
    expect(readdirSync(data_dir).filter((name) => name.endsWith("-wal"))).toEqual([]);
    site.ended = true;
    site.open("");
    await Promise.all(writing);
    service = await startBinary({ data_dir });
    const stored = await readAll(service.url, busy);
    expectStored(stored, ledger);
    expect(stored.filter(({ body }) => ledger.sent.get(body!) === null)).toEqual([]);
  }
  console.log(`${ledger.acknowledged} acknowledged, ${stops} stops, none lost`);
  await service.stop();
  removeDirectory(data_dir);
}, 600_000);

test("closes connections with half-sent requests when it stops", async () => {
  const service = await startBinary();
  const silent = await Bun.connect({
    hostname: "127.0.0.1",
    port: Number(new URL(service.url).port),
    socket: { data() {} },
  });
  silent.write("POST /api/meet/rooms HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{");
  await get(`${service.url}/healthz`);
  await service.stop();
  expect(service.process.exitCode).toBe(0);
  silent.end();
}, 120_000);

test("answers requests on open connections while it stops, and says that it closes them", async () => {
  const data_dir = newDirectory();
  const closing = Promise.withResolvers<void>();
  const service = await serve(
    { ...default_config, port: 0, data_dir },
    {
      clock: new FakeClock(),
      random: seededRandom(1),
      log: createLog(systemClock, "error", (line) => void process.stderr.write(line)),
      linger: () => closing.promise,
    },
  );
  const room = await openRoom(service.url);
  const reader = await openConnection(service.url);
  const writer = await openConnection(service.url);
  const stopped = service.stop();
  reader.write(["GET /healthz HTTP/1.1", "Host: localhost", "", ""]);
  const body = JSON.stringify({ name: "ana", body: "just before the end" });
  writer.write([
    `POST /api/meet/rooms/${room}/posts HTTP/1.1`,
    "Host: localhost",
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    "",
    body,
  ]);
  const answers = [await reader.answer, await writer.answer];
  expect(answers.map(({ status }) => status)).toEqual([200, 201]);
  for (const { headers } of answers) expect(headers).toMatch(/^connection: close$/im);
  closing.resolve();
  await stopped;
  removeDirectory(data_dir);
});
