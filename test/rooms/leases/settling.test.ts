/** Settling while time passes. */

import { expect, test } from "bun:test";
import { openStorage } from "../../../src/app/storage.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { createLog } from "../../../src/core/log.ts";
import { sha256Hex } from "../../../src/core/secrets.ts";
import { createEnds } from "../../../src/rooms/leases/ends.ts";
import { FakeClock } from "../../support/clock.ts";
import { newDirectory, removeDirectory } from "../../support/service.ts";

test("settles a lease that ends while the next end is looked up", async () => {
  const directory = newDirectory();
  const fake = new FakeClock();
  const moment = () => ({ now_ms: fake.now(), ahead_ms: 0 });
  const clock = Object.assign(fake, { moment, steady: () => fake.now() });
  const storage = await openStorage(directory, systemClock, createLog(systemClock, "warn", console.log));
  const key_sha256 = sha256Hex("key");
  const names = { key_sha256, recovery_sha256: key_sha256, claims: "open", now_ms: fake.now() } as const;
  const { canonical } = (await storage.write("names.claim", { ...names, name: "ada", look: "ada" })).result;
  const room = "a-room";
  await storage.write("rooms.open", {
    ...{ goal: "A goal", name: "Host", visibility: "public", identity: null, slugs: [room] },
    ...{ host_key_sha256: key_sha256, now_ms: fake.now() },
  });
  const identity = { name: "ada", canonical, key_sha256 };
  await storage.write("leases.take", {
    ...moment(),
    ...{ room, identity, paths: ["src"], ttl_seconds: 60, purpose: null },
  });

  // The first read finds nothing that has ended. The time of the lease is up before the second one.
  let reads = 0;
  const read: typeof storage.read = (query) => {
    if (++reads === 2) fake.advance(60);
    return storage.read(query);
  };
  const watched = { read, write: storage.write.bind(storage), onChange: storage.onChange.bind(storage) };
  const ends = createEnds({ storage: watched as never, clock, log: { warn: console.log } });
  await ends.settle();
  const left = await storage.read((tx) => tx.all("SELECT fence FROM leases LIMIT 1"));
  expect(left).toEqual([]);
  ends.close();
  await storage.close();
  removeDirectory(directory);
});
