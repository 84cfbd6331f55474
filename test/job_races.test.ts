/** Many who want the same job at the same time: one gets it, on the real engine. */

import { expect, test } from "bun:test";
import type { HouseActs } from "../src/acts.ts";
import type { ServiceError } from "../src/errors.ts";
import { createLog } from "../src/log.ts";
import type { Identity } from "../src/names/authentication.ts";
import { sha256Hex } from "../src/secret.ts";
import { openSqlite } from "../src/storage/sqlite/engine.ts";
import { FakeClock } from "./support/clock.ts";
import { newDirectory, removeDirectory } from "./support/service.ts";

const racers = 64;
const jobs = 1_000;
const hour_ms = 3_600_000;

test(`of ${racers} racers for each of ${jobs} jobs one holds it, and one again when its lease has ended`, async () => {
  const directory = newDirectory();
  const storage = await openSqlite<HouseActs>({
    directory,
    startWriter: () => new Worker(new URL("../src/writer.ts", import.meta.url).href),
    log: createLog(new FakeClock(), "warn", () => {}),
  });
  let now_ms = 1_700_000_000_000;
  const newName = async (name: string): Promise<Identity> => {
    const key_sha256 = sha256Hex(`key of ${name}`);
    const given = { name, key_sha256, recovery_sha256: sha256Hex(name), now_ms };
    const { canonical } = (await storage.write("names.claim", given)).result;
    return { name, canonical, key_sha256 };
  };
  const people = await Promise.all(Array.from({ length: racers }, (_, n) => newName(`racer ${n}`)));
  const poster = await newName("poster");

  let calls = 0;
  const input = (identity: Identity, id: string) => ({ identity, id, note_id: `note-${++calls}`, now_ms });
  /** All claim at once, in an order that is another for each job. Answers with the one that holds it. */
  async function race(id: string, turn: number, claim_no: number): Promise<Identity> {
    const order = people.map((_, n) => people[(n * 7 + turn) % racers]!);
    const outcomes = await Promise.all(
      order.map((identity) =>
        storage.write("jobs.claim", input(identity, id)).then(
          ({ result }) => result,
          (error: ServiceError) => error,
        ),
      ),
    );
    const won = outcomes.flatMap((outcome) => ("claim_no" in outcome ? [outcome] : []));
    expect(won).toHaveLength(1);
    const { holder, lease_expires_at } = won[0]!;
    expect(won[0]!.claim_no).toBe(claim_no);
    const lost = outcomes.filter(
      (outcome) =>
        "code" in outcome &&
        outcome.code === "job_held" &&
        outcome.extra.members?.held_by === holder &&
        outcome.extra.members.until === lease_expires_at,
    );
    expect(lost).toHaveLength(racers - 1);
    return people.find(({ name }) => name === holder)!;
  }

  const holders = new Set<string>();
  for (let n = 0; n < jobs; n++) {
    const id = `job-${n}`;
    await storage.write("jobs.post", { ...input(poster, id), title: id, detail: "d", tags: [] });
    const first = await race(id, n, 1);
    if (n % 10 > 0) {
      await storage.write("jobs.deliver", { ...input(first, id), result: "done", claim_no: 1 });
      holders.add(first.name);
      continue;
    }
    now_ms += hour_ms;
    const second = await race(id, n + 1, 2);
    const late = storage.write("jobs.deliver", { ...input(first, id), result: "late", claim_no: 1 });
    const code = await late.then(
      () => "delivered",
      (error: ServiceError) => error.code,
    );
    expect(code).toBe(first === second ? "stale_claim" : "not_holder");
    const done = await storage.write("jobs.deliver", { ...input(second, id), result: "done", claim_no: 2 });
    expect(done.result).toMatchObject({ holder: second.name, result: "done", claim_no: 2 });
  }
  expect(holders.size).toBeGreaterThan(racers / 2);
  await storage.close();
  removeDirectory(directory);
}, 120_000);
