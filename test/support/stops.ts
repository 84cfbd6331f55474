/** Stops of a service under load: with posts under way, and with waits and streams open. */

import { expect } from "bun:test";
import { readdirSync } from "node:fs";
import { get } from "./http.ts";
import { expectStored, Ledger, openRoom, readAll, Site, writeOn } from "./load.ts";
import { testRandom } from "./seed.ts";
import { newDirectory, removeDirectory, startBinary } from "./service.ts";
import { eventsOf } from "./sse.ts";

const writers = 32;
/** The time that a stop may take, after which the process is killed. */
const stop_seconds_max = 10;

/** Reads a stream to its end. Returns the number of events. */
async function drain(url: string): Promise<number> {
  let events = 0;
  for await (const _ of eventsOf(await fetch(url))) events++;
  return events;
}

/**
 * Stops the binary `stops` times by SIGTERM under load, and starts it again on the same directory. Fails if it does not end in time
 * with status 0, if a post that was acknowledged is lost, or if one was stored and not acknowledged.
 */
export async function stopUnderLoad(stops: number, environment: Record<string, string> = {}): Promise<void> {
  const { below } = testRandom("SIGTERM");
  const data_dir = newDirectory();
  let service = await startBinary({ data_dir }, environment);
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
    service = await startBinary({ data_dir }, environment);
    const stored = await readAll(service.url, busy);
    expectStored(stored, ledger);
    expect(stored.filter(({ body }) => ledger.sent.get(body!) === null)).toEqual([]);
  }
  console.log(`${ledger.acknowledged} acknowledged, ${stops} stops, none lost`);
  await service.stop();
  removeDirectory(data_dir);
}
