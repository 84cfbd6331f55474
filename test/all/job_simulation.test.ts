/**
 * Jobs, mailboxes and a clock that jumps, against a plain model: the answers of all commands and of reads between them,
 * on a real SQLite file through the real writer, many commands to a group.
 */

import { expect, test } from "bun:test";
import { join } from "node:path";
import { commands } from "../../src/app/commands.ts";
import { steadyTime, systemClock } from "../../src/core/clock.ts";
import type { ErrorCode } from "../../src/app/error_catalog.ts";
import { Topics } from "../../src/core/topics.ts";
import { Waits } from "../../src/core/waits.ts";
import type { Moment } from "../../src/core/clock.ts";
import { boardPage, boardSlice, readJob, type BoardQuery } from "../../src/jobs/queries.ts";
import { countJobs } from "../../src/jobs/store.ts";
import { createMailboxes } from "../../src/mailbox/mailbox.ts";
import type { Caller, Identity } from "../../src/core/caller.ts";
import { sha256Hex } from "../../src/core/secrets.ts";
import type { Tx } from "../../src/core/storage.ts";
import { TransactionRunner, type WriteReply } from "../../src/storage/sqlite/group_commit.ts";
import type { CommandRunner, FeatureStorage } from "../../src/core/commands.ts";
import type { MailboxCommands } from "../../src/mailbox/feature.ts";
import { FakeClock } from "../support/clock.ts";
import { held_jobs_max, Model, Refused, type ModelJob } from "../support/job_model.ts";
import { testRandom, type TestRandom } from "../support/seed.ts";
import { newDirectory, removeDirectory } from "../support/service.ts";

const operations = Number(process.env.WHARF_TEST_OPERATIONS ?? 100_000);
const group_size = 1_000;
const people = Array.from("abcdefghijkl", (letter) => `person${letter}`);

/** Reads, run between the commands. */
const reads = {
  "test.job": (tx: Tx, { id, at }: { id: string; at: Moment }) => readJob(tx, id, at),
  "test.board": async (tx: Tx, query: BoardQuery) => {
    const { jobs } = await boardPage(query, (after) => boardSlice(tx, query, after));
    const { open, total } = await countJobs(tx, steadyTime(query));
    return { ids: jobs.map(({ id }) => id), open, total };
  },
  async "test.mailbox"(
    tx: Tx,
    { identity, since, limit }: { identity: Identity; since?: number; limit: number },
  ) {
    const mailboxes = createMailboxes({
      storage: {
        read: (query: (tx: Tx) => unknown) => query(tx),
      } as unknown as FeatureStorage<MailboxCommands>,
      commands: {} as CommandRunner<MailboxCommands>,
      waits: new Waits(new Topics(), new FakeClock()),
      clock: new FakeClock(),
      identityOf: () => identity,
      settle: async () => {},
      excerpts: { posts: () => Promise.resolve([]), jobs: () => Promise.resolve([]) },
    });
    const { notes, count, unread, left } = await mailboxes.read({} as Caller, { since, limit });
    return { notes: notes.map(({ seq, kind, at }) => ({ seq, kind, at })), count, unread, more: left > 0 };
  },
};

interface Step {
  name: string;
  input: object;
  expected: unknown;
}

/** Draws steps, applies each to the model, and returns it with the expected answer. */
class Simulation {
  readonly model = new Model(people);
  readonly identities = new Map(people.map((who) => [who, identityOf(who, 0)]));
  /** Steady time. */
  now = Date.parse("2026-03-01T12:00:00.000Z");
  #drawn = 0;
  /** The jobs that commands are called on. */
  readonly #pool: ModelJob[] = [];

  constructor(readonly random: TestRandom) {}

  /** Mostly a little later; sometimes to the end of a lease or one millisecond beside it, far ahead, or back. */
  #moveClock(): void {
    const { below } = this.random;
    const roll = below(100);
    if (roll < 90) this.now += below(60_000);
    else if (roll < 96) {
      const job = this.#pool[below(this.#pool.length)];
      if (job?.state === "held") this.now = job.ends_ms + below(3) - 1;
    } else if (roll < 98) this.now += below(30 * 3_600_000);
    else if (roll < 99) this.now -= below(5_400_000);
    // The service adopts another wall clock: the shown times move with it, and no lease expires.
    else this.model.ahead_ms = (below(2_000) - 1_000) * 86_400_000;
  }

  #moment(): Moment {
    return { now_ms: this.now + this.model.ahead_ms, ahead_ms: this.model.ahead_ms };
  }

  step(): Step {
    const { model, random } = this;
    const { below, oneOf } = random;
    if (below(3) === 0) this.#moveClock();
    const moment = this.#moment();
    const who = oneOf(people);
    const identity = this.identities.get(who)!;
    const id = `job-${++this.#drawn}`;
    const base = { ...moment, identity, note_id: id };
    const roll = below(100);
    if (roll < 12 || this.#pool.length === 0) return this.#post({ ...base, id }, who);
    if (roll < 78) return this.#callJob(base, who);
    if (roll < 82) return { name: "jobs.settle", input: moment, expected: model.settle(this.now) };
    if (roll < 87) {
      const through = Math.max(model.mailboxes.get(who)!.last_seq - below(40) + 2, 0);
      return {
        name: "mailbox.ack",
        input: { ...moment, identity, through },
        expected: model.ack(who, through),
      };
    }
    if (roll === 87 && below(4) === 0) {
      model.clear(who);
      return { name: "mailbox.clear", input: { ...moment, identity }, expected: { cleared: true } };
    }
    if (roll === 88) return this.#changeKey(base, who);
    if (roll === 89) return this.#readBoard();
    if (roll < 95) return this.#readMailbox(who);
    return this.#readJob();
  }

  #post(input: Moment & { identity: Identity; id: string }, who: string): Step {
    const { id } = input;
    const posted = this.model.post(id, who, this.now);
    if (!(posted instanceof Refused)) this.#pool.push(posted);
    if (this.#pool.length > 150) this.#pool.splice(this.random.below(100), 1);
    const text = { title: id, detail: "d", tags: [] };
    return { name: "jobs.post", input: { ...input, ...text }, expected: this.#expected(posted) };
  }

  #callJob(base: Moment & { identity: Identity; note_id: string }, drawn: string): Step {
    const { model } = this;
    const { below, oneOf } = this.random;
    const at = below(this.#pool.length);
    const job = this.#pool[at]!;
    const kind = oneOf([
      "claim",
      "claim",
      "extend",
      "extend",
      "release",
      "deliver",
      "deliver",
      "withdraw",
      "review",
    ] as const);
    // Mostly a caller who is allowed to, or most calls would be refused.
    const fitting = kind === "withdraw" || kind === "review" ? job.poster : job.holder;
    const who = below(4) > 0 && fitting !== null && kind !== "claim" ? fitting : drawn;
    const now_ms = this.now;
    const input = { ...base, identity: this.identities.get(who)!, id: job.id };
    const done = (outcome: Refused | ModelJob, more: object = {}): Step => {
      const is_over = job.state === "withdrawn" || job.verdict !== null;
      if (is_over && below(10) === 0) this.#pool.splice(at, 1);
      const released = kind === "release" && !(outcome instanceof Refused);
      const expected = released ? { id: job.id, released: true } : this.#expected(outcome);
      return { name: `jobs.${kind}`, input: { ...input, ...more }, expected };
    };
    if (kind === "deliver") {
      const result = oneOf(["one", "one", "one", "two"]);
      const claim_no = oneOf([null, null, job.claim_no, Math.max(job.claim_no - 1, 1)]);
      return done(model.deliver(job, who, now_ms, result, claim_no), { result, claim_no });
    }
    if (kind === "review") {
      const verdict = oneOf(["accepted", "disputed"]);
      const more = { verdict, reason: null, receipt: verdict === "accepted" ? "signed" : null };
      return done(model.review(job, who, now_ms, verdict), more);
    }
    return done(model[kind](job, who, now_ms), kind === "claim" ? { held_jobs_max } : {});
  }

  /** The expected answer: the refusal, or the members of the job that the test compares. */
  #expected(outcome: Refused | ModelJob): unknown {
    return outcome instanceof Refused ? outcome : this.#job(outcome, -Infinity);
  }

  #job(job: ModelJob, now: number): object {
    const { id, poster, claim_no, result, verdict } = job;
    const is_expired = this.model.hasExpired(job, now);
    const holder = is_expired ? null : job.holder;
    const ends = holder === null ? null : new Date(job.ends_ms + this.model.ahead_ms).toISOString();
    return {
      id,
      poster,
      state: is_expired ? "open" : job.state,
      claim_no,
      holder,
      lease_expires_at: ends,
      result,
      verdict,
    };
  }

  #changeKey(
    { identity, note_id, now_ms }: Moment & { identity: Identity; note_id: string },
    who: string,
  ): Step {
    const stale = this.random.below(2) === 0;
    const next = identityOf(who, this.#drawn);
    if (stale) {
      const input = { identity: next, through: 0, now_ms };
      return { name: "mailbox.ack", input, expected: new Refused("unknown_credential") };
    }
    this.identities.set(who, next);
    this.model.keyChanged(who, this.now);
    const input = { identity, note_id, now_ms, key_sha256: next.key_sha256 };
    return { name: "names.rotate", input, expected: { canonical: who } };
  }

  #readBoard(): Step {
    const { model, now } = this;
    const { below, oneOf } = this.random;
    const state = oneOf(["open", "held", "delivered", "withdrawn", undefined] as const);
    const poster = oneOf([oneOf(people), undefined]);
    const limit = 1 + below(30);
    // From the oldest, each page would scan all done jobs again.
    const oldest_first = state === "open" || state === "held";
    const input = { state, poster, limit, oldest_first, ...this.#moment() };
    const ids = model.board(state, poster, oldest_first, limit, now);
    const counts = { open: model.countOpen(now), total: model.jobs.length };
    return { name: "test.board", input, expected: { ids, ...counts } };
  }

  #readMailbox(who: string): Step {
    const { below } = this.random;
    const { last_seq } = this.model.mailboxes.get(who)!;
    const since = below(4) === 0 ? undefined : Math.max(last_seq - below(30), 0);
    const pruned = below(50) === 0 ? Math.max(last_seq - 900 - below(200), 0) : since;
    const input = { identity: this.identities.get(who)!, since: pruned, limit: 1 + below(20) };
    return { name: "test.mailbox", input, expected: this.model.read(who, pruned, input.limit) };
  }

  #readJob(): Step {
    const job = this.random.oneOf(this.#pool);
    const input = { id: job.id, at: this.#moment() };
    return { name: "test.job", input, expected: this.#job(job, this.now) };
  }
}

const identityOf = (who: string, n: number): Identity => ({
  name: who,
  canonical: who,
  key_sha256: sha256Hex(`key ${n} of ${who}`),
});

/** The members of the answer that `expected` has. */
function answered(reply: WriteReply, expected: unknown): unknown {
  const { failure } = reply;
  if (failure?.definition) return new Refused(failure.definition.code as ErrorCode, failure.extra.members);
  if (failure) return failure;
  const result = reply.result as Record<string, unknown>;
  if (expected instanceof Refused) return result;
  return Object.fromEntries(Object.keys(expected as object).map((key) => [key, result[key]]));
}

test(`answers ${operations} operations as a plain model does`, async () => {
  const directory = newDirectory();
  const writer = TransactionRunner.open(join(directory, "wharf.db"), { ...commands, ...reads }, systemClock);
  const simulation = new Simulation(testRandom("jobs simulation"));
  for (const [who, { key_sha256 }] of simulation.identities) {
    const input = {
      name: who,
      key_sha256,
      recovery_sha256: sha256Hex(who),
      claims: "open" as const,
      now_ms: simulation.now,
    };
    await writer.commit([{ name: "names.claim", input, call: undefined }]);
  }
  const outcomes = new Map<string, number>();
  for (let done = 0; done < operations; done += group_size) {
    const steps = Array.from({ length: group_size }, () => simulation.step());
    const requests = steps.map(({ name, input }) => ({ name, input, call: undefined }));
    const { replies } = await writer.commit(requests);
    for (const [i, { name, input, expected }] of steps.entries()) {
      const actual = answered(replies[i]!, expected);
      const outcome = `${name} ${actual instanceof Refused ? actual.code : "done"}`;
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      if (!Bun.deepEquals(actual, expected))
        expect({ operation: done + i, name, input, actual }).toEqual({
          operation: done + i,
          name,
          input,
          actual: expected,
        });
    }
    writer.checkpoints.afterGroup();
  }
  writer.close();
  removeDirectory(directory);
  // A run that never reached some of the rules would prove nothing about them.
  console.log(Object.fromEntries(outcomes));
  if (operations >= 50_000) expect(outcomes.size).toBeGreaterThanOrEqual(33);
}, 300_000);
