/** Many who want the same job at the same time: one gets it, on the real engine. */

import { expect, test } from "bun:test";
import { systemClock } from "../../src/core/clock.ts";
import type { ServiceError } from "../../src/core/errors.ts";
import { createLog } from "../../src/core/log.ts";
import type { Identity } from "../../src/core/caller.ts";
import { sha256Hex } from "../../src/core/secrets.ts";
import { openStorage } from "../../src/app/storage.ts";
import { FakeClock } from "../support/clock.ts";
import { newDirectory, removeDirectory } from "../support/service.ts";
import { lookKey } from "../../src/names/imitation.ts";

const racers = 64;
const jobs = 1_000;
/** Of each there are four commits or more, one after another, on a disk that may be slow. */
const limit_ms = jobs * 600;
const hour_ms = 3_600_000;

/** A storage with what the tests do on it, on a clock that they move. */
async function openBoard() {
  const directory = newDirectory();
  const log = createLog(new FakeClock(), "warn", () => {});
  const storage = await openStorage(directory, systemClock, log);
  let calls = 0;
  const board = {
    storage,
    now_ms: 1_700_000_000_000,
    async newName(name: string): Promise<Identity> {
      const key_sha256 = sha256Hex(`key of ${name}`);
      const given = {
        name,
        look: lookKey(name),
        key_sha256,
        recovery_sha256: sha256Hex(name),
        claims: "open" as const,
        now_ms: board.now_ms,
      };
      const { canonical } = (await storage.write("names.claim", given)).result;
      return { name, canonical, key_sha256 };
    },
    input: (identity: Identity, id: string) => ({
      identity,
      id,
      note_id: `note-${++calls}`,
      now_ms: board.now_ms,
      ahead_ms: 0,
    }),
    post: (poster: Identity, id: string) =>
      storage.write("jobs.post", { ...board.input(poster, id), title: id, detail: "d", tags: [] }),
    claim: (who: Identity, id: string) =>
      storage.write("jobs.claim", { ...board.input(who, id), held_jobs_max: 5 }),
    deliver: (who: Identity, id: string, result: string, claim_no: number) =>
      storage.write("jobs.deliver", { ...board.input(who, id), result, claim_no }),
    async close() {
      await storage.close();
      removeDirectory(directory);
    },
  };
  return board;
}
const codeOf = (written: Promise<unknown>): Promise<string> =>
  written.then(
    () => "done",
    (error: ServiceError) => error.code,
  );

test(
  `gives each of ${jobs} jobs to one of ${racers} concurrent claims, and again when its lease has ended`,
  async () => {
    const board = await openBoard();
    const { newName } = board;
    const people = await Promise.all(Array.from({ length: racers }, (_, n) => newName(`racer ${n}`)));
    const poster = await newName("poster");

    /** All claim at once, in an order that is another for each job. Answers with the one that holds it. */
    async function race(id: string, turn: number, claim_no: number): Promise<Identity> {
      const order = people.map((_, n) => people[(n * 7 + turn) % racers]!);
      const outcomes = await Promise.all(
        order.map((identity) =>
          board.claim(identity, id).then(
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
      await board.post(poster, id);
      const first = await race(id, n, 1);
      if (n % 10 > 0) {
        await board.deliver(first, id, "done", 1);
        holders.add(first.name);
        continue;
      }
      board.now_ms += hour_ms;
      const second = await race(id, n + 1, 2);
      const late = await codeOf(board.deliver(first, id, "late", 1));
      expect(late).toBe(first === second ? "stale_claim" : "not_holder");
      const done = await board.deliver(second, id, "done", 2);
      expect(done.result).toMatchObject({ holder: second.name, result: "done", claim_no: 2 });
    }
    expect(holders.size).toBeGreaterThan(racers / 2);
    await board.close();
  },
  limit_ms,
);

test("refuses an acceptance that was sent before the delivery, so that none is left without a receipt", async () => {
  const board = await openBoard();
  const [poster, holder] = [await board.newName("poster"), await board.newName("holder")];
  await board.post(poster, "job");
  await board.claim(holder, "job");
  await board.deliver(holder, "job", "done", 1);
  const review = (verdict: "accepted" | "disputed", receipt: string | null) =>
    codeOf(
      board.storage.write("jobs.review", { ...board.input(poster, "job"), verdict, reason: null, receipt }),
    );
  expect(await review("accepted", null)).toBe("not_delivered");
  expect(await review("accepted", "signed")).toBe("done");
  expect(await review("accepted", null)).toBe("already_reviewed");
  await board.close();
});
