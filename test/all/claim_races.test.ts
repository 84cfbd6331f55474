/** Concurrent claims of one name: one succeeds, on the real engine and over real HTTP. */

import { expect, test } from "bun:test";
import type { ServiceError } from "../../src/core/errors.ts";
import { createLog } from "../../src/core/log.ts";
import { sha256Hex } from "../../src/core/secrets.ts";
import { systemClock } from "../../src/core/clock.ts";
import { openStorage } from "../../src/app/storage.ts";
import { FakeClock } from "../support/clock.ts";
import { post } from "../support/http.ts";
import { holder } from "../support/names.ts";
import { newDirectory, removeDirectory, startSource } from "../support/service.ts";
import { lookKey } from "../../src/names/imitation.ts";

const racers = 64;
/** Spellings of one name, one for each caller. */
const spellings = (n: number) => [`Racer ${n}`, `racer-${n}`, `RACER_${n}`, `Racer.${n}`];

test(`gives a name to one of ${racers} concurrent claims, 1,000 times`, async () => {
  const directory = newDirectory();
  const storage = await openStorage(
    directory,
    systemClock,
    createLog(new FakeClock(), "warn", () => {}),
  );
  const claim = (name: string, racer: number) =>
    storage
      .write("names.claim", {
        name,
        look: lookKey(name),
        key_sha256: sha256Hex(`key ${name} ${racer}`),
        recovery_sha256: sha256Hex(`code ${name} ${racer}`),
        claims: "open",
        now_ms: 1_700_000_000_000,
      })
      .then(
        () => "won",
        (error: ServiceError) => error.code,
      );
  for (let n = 0; n < 1_000; n++) {
    const names = spellings(n);
    const outcomes = await Promise.all(
      Array.from({ length: racers }, (_, racer) => claim(names[racer % names.length]!, racer)),
    );
    expect(outcomes.filter((outcome) => outcome === "won")).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === "name_taken")).toHaveLength(racers - 1);
  }
  await storage.close();
  removeDirectory(directory);
});

test("gives a name to one of several concurrent claims over HTTP, and only that key is valid", async () => {
  const service = await startSource();
  for (let n = 0; n < 10; n++) {
    const names = spellings(n);
    const answers = await Promise.all(
      Array.from({ length: racers }, (_, racer) =>
        post<{ name: string; key: string }>(`${service.url}/api/name`, {
          name: names[racer % names.length]!,
        }),
      ),
    );
    const won = answers.filter(({ status }) => status === 201);
    expect(won).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(racers - 1);
    const { name, key } = won[0]!.body;
    const whoami = await post(`${service.url}/api/name/whoami`, undefined, holder(names[0]!, key).pair);
    expect(whoami.body.name).toBe(name);
  }
  await service.stop();
});

test("accepts one of several concurrent rotations with the same key", async () => {
  const service = await startSource();
  const { body } = await post<{ key: string }>(`${service.url}/api/name`, { name: "Turning" });
  let { pair } = holder("Turning", body.key);
  for (let round = 0; round < 20; round++) {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        post<{ key: string }>(`${service.url}/api/name/rotate`, undefined, pair),
      ),
    );
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(7);
    pair = holder("Turning", won[0]!.body.key).pair;
  }
  await service.stop();
});
