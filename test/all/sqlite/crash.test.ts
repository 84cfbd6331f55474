/** Acknowledged posts survive `kill -9`, and readers notice only a pause. */

import { expect, test } from "bun:test";
import { freePort } from "../../support/free_port.ts";
import { expectStored, Ledger, openRoom, readAll, say, Site, writeOn } from "../../support/load.ts";
import { farewell, follow, poll } from "../../support/readers.ts";
import { testRandom } from "../../support/seed.ts";
import { newDirectory, removeDirectory, startBinary } from "../../support/service.ts";

const kills = Number(process.env.WHARF_TEST_KILLS ?? 10);
const writers = 64;

test(`loses no acknowledged post on kill -9 under ${writers} writers, ${kills} times`, async () => {
  const { below } = testRandom("kill -9");
  const data_dir = newDirectory();
  const port = await freePort();
  let service = await startBinary({ data_dir, port });
  const site = new Site();
  site.open(service.url);
  const room = await openRoom(service.url);
  const ledger = new Ledger();

  const readers = Promise.all([poll(site, room, 0), poll(site, room, 5), follow(site, room)]);
  const writing = Array.from({ length: writers }, (_, i) =>
    writeOn(site, room, `writer-${i}`, ledger, { body_chars: 20 + below(400), resend: i % 2 === 0 }),
  );
  for (let kill = 0; kill < kills; kill++) {
    await ledger.more(1 + below(2_000));
    service.process.kill("SIGKILL");
    await service.process.exited;
    service = await startBinary({ data_dir, port });
    site.open(service.url);
  }
  await ledger.more(500);
  site.ended = true;
  await Promise.all(writing);
  await say(site, room, "host", farewell, ledger);

  const stored = await readAll(service.url, room);
  expectStored(stored, ledger);
  const plain = stored.map(({ id, ts, body }) => ({ id, ts, body }));
  for (const seen of await readers) {
    expect(seen.map(({ id, ts, body }) => ({ id, ts, body }))).toEqual(plain);
  }
  console.log(`${ledger.acknowledged} acknowledged, ${stored.length} stored, ${kills} kills, none lost`);
  await service.stop();
  removeDirectory(data_dir);
}, 600_000);
