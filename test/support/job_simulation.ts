/**
 * Random steps on jobs and mailboxes, with a clock that jumps, and the answers that a plain model expects. The tests run them on
 * the engines.
 */

import type { Identity } from "../../src/core/caller.ts";
import type { Moment } from "../../src/core/clock.ts";
import type { ErrorCode } from "../../src/app/error_catalog.ts";
import { ServiceError } from "../../src/core/errors.ts";
import { sha256Hex } from "../../src/core/secrets.ts";
import { lookKey } from "../../src/names/imitation.ts";
import { held_jobs_max, Model, Refused, type ModelJob } from "./job_model.ts";
import type { TestRandom } from "./seed.ts";

/** The names that call. */
export const people = Array.from("abcdefghijkl", (letter) => `person${letter}`);

export interface Step {
  name: string;
  input: object;
  /** Applies the step to the model and returns the expected answer. */
  expected(): unknown;
  /** Has later steps use what this step has changed: to be called once it is applied for good. */
  afterwards(): void;
}

const nothing = (): void => {};

/** Draws steps for the state of the model, which changes when a step is applied. */
export class Simulation {
  readonly model = new Model(people);
  readonly identities = new Map(people.map((who) => [who, identityOf(who, 0)]));
  /** Steady time. */
  now = Date.parse("2026-03-01T12:00:00.000Z");
  #drawn = 0;
  /** The jobs that commands are called on. */
  readonly #pool: ModelJob[] = [];

  constructor(readonly random: TestRandom) {}

  /** Mostly a little later; sometimes to the end of a lease or one millisecond beside it, far ahead, or back. */
  moveClock(): void {
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

  /** Moves the clock, sometimes, and draws a step. */
  step(): Step {
    const { below } = this.random;
    if (below(3) === 0) this.moveClock();
    return below(100) < 89 ? this.write() : this.read();
  }

  read(): Step {
    const roll = this.random.below(11);
    if (roll === 0 || this.#pool.length === 0) return this.#readBoard();
    return roll < 6 ? this.#readMailbox(this.random.oneOf(people)) : this.#readJob();
  }

  write(): Step {
    const moment = this.#moment();
    const drawn = this.#drawWrite(moment);
    const { identity } = drawn.input as { identity?: Identity };
    return {
      ...drawn,
      expected: () => {
        // Another step may have replaced the key since this one was drawn.
        const is_known = !identity || this.identities.get(identity.name)!.key_sha256 === identity.key_sha256;
        return is_known ? drawn.expected() : new Refused("unknown_credential");
      },
    };
  }

  /** What `jobs.settle` does now, as one function for each lease: other calls may come between them. */
  settlings(): (() => void)[] {
    const { model, now } = this;
    const expired = [...model.active].filter((job) => model.hasExpired(job, now));
    return expired.map((job) => () => model.settleFirst(job, now));
  }

  /** Returns what takes back everything that is applied from now on. */
  remember(): () => void {
    const restore = this.model.remember(this.#pool);
    const identities = [...this.identities];
    return () => {
      restore();
      for (const [who, identity] of identities) this.identities.set(who, identity);
    };
  }

  #drawWrite(moment: Moment): Step {
    const { model } = this;
    const { below, oneOf } = this.random;
    const who = oneOf(people);
    const identity = this.identities.get(who)!;
    const id = `job-${++this.#drawn}`;
    const base = { ...moment, identity, note_id: id };
    const roll = below(89);
    if (roll < 12 || this.#pool.length === 0) return this.#post({ ...base, id }, who);
    if (roll < 78) return this.#callJob(base, who);
    if (roll < 82) return this.settle();
    if (roll < 87) {
      const through = Math.max(model.mailboxes.get(who)!.last_seq - below(40) + 2, 0);
      return {
        name: "mailbox.ack",
        input: { ...moment, identity, through },
        expected: () => model.ack(who, through),
        afterwards: nothing,
      };
    }
    if (roll === 87 && below(4) === 0) {
      const expected = () => {
        model.clear(who);
        return { cleared: true };
      };
      return { name: "mailbox.clear", input: { ...moment, identity }, expected, afterwards: nothing };
    }
    return this.#changeKey(base, who);
  }

  settle(): Step {
    const { model, now } = this;
    return {
      name: "jobs.settle",
      input: this.#moment(),
      expected: () => model.settle(now),
      afterwards: nothing,
    };
  }

  #post(input: Moment & { identity: Identity; id: string }, who: string): Step {
    const { id } = input;
    const { now } = this;
    const text = { title: id, detail: "d", tags: [] };
    return {
      name: "jobs.post",
      input: { ...input, ...text },
      expected: () => this.#outcome(this.model.post(id, who, now)),
      afterwards: () => {
        const posted = this.model.jobs.findLast((job) => job.id === id);
        if (posted) this.#pool.push(posted);
        if (this.#pool.length > 150) this.#pool.splice(this.random.below(100), 1);
      },
    };
  }

  #callJob(base: Moment & { identity: Identity; note_id: string }, drawn: string): Step {
    const { model } = this;
    const { below, oneOf } = this.random;
    const job = oneOf(this.#pool);
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
    const step = (apply: () => Refused | ModelJob, more: object = {}): Step => ({
      name: `jobs.${kind}`,
      input: { ...input, ...more },
      expected: () => {
        const outcome = apply();
        const is_released = kind === "release" && !(outcome instanceof Refused);
        return is_released ? { id: job.id, released: true } : this.#outcome(outcome);
      },
      afterwards: () => {
        const is_over = job.state === "withdrawn" || job.verdict !== null;
        const at = this.#pool.indexOf(job);
        if (is_over && at >= 0 && below(10) === 0) this.#pool.splice(at, 1);
      },
    });
    if (kind === "deliver") {
      const result = oneOf(["one", "one", "one", "two"]);
      const claim_no = oneOf([null, null, job.claim_no, Math.max(job.claim_no - 1, 1)]);
      return step(() => model.deliver(job, who, now_ms, result, claim_no), { result, claim_no });
    }
    if (kind === "review") {
      const verdict = oneOf(["accepted", "disputed"]);
      const more = { verdict, reason: null, receipt: verdict === "accepted" ? "signed" : null };
      return step(() => model.review(job, who, now_ms, verdict), more);
    }
    return step(() => model[kind](job, who, now_ms), kind === "claim" ? { held_jobs_max } : {});
  }

  /** The expected answer: the refusal, or the members of the job that the test compares. */
  #outcome(outcome: Refused | ModelJob): unknown {
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
    const next = identityOf(who, this.#drawn);
    if (this.random.below(2) === 0) {
      const input = { identity: next, through: 0, now_ms };
      const expected = () => new Refused("unknown_credential");
      return { name: "mailbox.ack", input, expected, afterwards: nothing };
    }
    const expected = () => {
      this.identities.set(who, next);
      this.model.keyChanged(who, now_ms - this.model.ahead_ms);
      return { canonical: who };
    };
    const input = { identity, note_id, now_ms, key_sha256: next.key_sha256 };
    return { name: "names.rotate", input, expected, afterwards: nothing };
  }

  #readBoard(): Step {
    const { model, now } = this;
    const { below, oneOf } = this.random;
    const state = oneOf(["open", "held", "delivered", "withdrawn", undefined] as const);
    const poster = oneOf([oneOf(people), undefined]);
    const limit = 1 + below(30);
    // From the oldest, each page would scan all done jobs again.
    const oldest_first = state === "open" || state === "held";
    const input = { filter: { state, by: poster }, limit, oldest_first, ...this.#moment() };
    const expected = () => ({
      ids: model.board(state, poster, oldest_first, limit, now),
      open: model.countOpen(now),
      total: model.jobs.length,
    });
    return { name: "test.board", input, expected, afterwards: nothing };
  }

  #readMailbox(who: string): Step {
    const { below } = this.random;
    const { last_seq } = this.model.mailboxes.get(who)!;
    const since = below(4) === 0 ? undefined : Math.max(last_seq - below(30), 0);
    const pruned = below(50) === 0 ? Math.max(last_seq - 900 - below(200), 0) : since;
    const input = { identity: this.identities.get(who)!, since: pruned, limit: 1 + below(20) };
    const expected = () => this.model.read(who, pruned, input.limit);
    return { name: "test.mailbox", input, expected, afterwards: nothing };
  }

  #readJob(): Step {
    const job = this.random.oneOf(this.#pool);
    const input = { id: job.id, at: this.#moment() };
    const { now } = this;
    return { name: "test.job", input, expected: () => this.#job(job, now), afterwards: nothing };
  }
}

const identityOf = (who: string, n: number): Identity => ({
  name: who,
  canonical: who,
  key_sha256: sha256Hex(`key ${n} of ${who}`),
});

/** The claims of the names: what comes before the steps. */
export const claimsOf = ({ identities, now }: Simulation) =>
  [...identities].map(([who, { key_sha256 }]) => ({
    name: "names.claim",
    input: {
      name: who,
      look: lookKey(who),
      key_sha256,
      recovery_sha256: sha256Hex(who),
      claims: "open" as const,
      now_ms: now,
    },
  }));

/** What a command returned or threw, in the form of the model's answer `expected`: the members that this has. */
export function answered(outcome: unknown, expected: unknown): unknown {
  if (outcome instanceof ServiceError) return new Refused(outcome.code as ErrorCode, outcome.extra.members);
  if (outcome instanceof Error || expected instanceof Refused) return outcome;
  const result = outcome as Record<string, unknown>;
  return Object.fromEntries(Object.keys(expected as object).map((key) => [key, result[key]]));
}
