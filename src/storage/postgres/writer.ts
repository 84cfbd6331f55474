/**
 * Runs commands in groups: a group is one transaction, so its commands share one flush of the log. Commands of a kind that can
 * run at once do so. Others that change different things run side by side, and their statements share round trips.
 */

import type { ReservedSQL } from "bun";
import { systemClock } from "../../core/clock.ts";
import { ServiceError } from "../../core/errors.ts";
import { service_errors } from "../../core/service_errors.ts";
import {
  Overtaken,
  type CommandMap,
  type IdempotentCall,
  type Tx,
  type Written,
} from "../../core/storage.ts";
import type { Meter } from "../../core/meter.ts";
import { countsWrites, outcomeOfError, outcomeOfResult, type CountWrites } from "../write_metrics.ts";
import { storage_limits } from "../limits.ts";
import { runAllIdempotent, runIdempotent } from "../idempotency.ts";
import { batchesOf, sideBySide } from "./batches.ts";
import { commit, firstFailure, fulfilled } from "./commit.ts";
import { begin, isConflict, isLost, PostgresTx, type SettledSeq } from "./connection.ts";
import { postgres_limits } from "./limits.ts";
import { alone_key, keysOf, lockNumbers } from "./lock_keys.ts";
import type { Pool } from "./pool.ts";

/** How a command runs beside others. */
export interface Ordering {
  /** Commands with the same value commit one after the other. */
  numbers?: string;
  runs_alone?: true;
  /** The members of its input that name what it changes, if it is not all that could. */
  changes?: readonly string[];
}

export interface WriterOptions {
  pool: Pool;
  commands: CommandMap;
  orderingOf(name: string): Ordering;
  meter: Meter;
  settledSeq: SettledSeq;
  /** What callers get for an error of Postgres. */
  failureOf(error: unknown): unknown;
  /** Called with the topics of a transaction and its id when it is durable, before its writes are answered. */
  announce(topics: string[], xid: string | null): void;
}

interface Pending {
  name: string;
  input: unknown;
  call: IdempotentCall | undefined;
  keys: string[];
  is_batched: boolean;
  resolve(written: Written<unknown>): void;
  reject(error: unknown): void;
}

type Reply = { written: Written<unknown> } | { error: unknown };

interface GroupOutcome {
  /** One for each command, in the same order. */
  replies: Reply[];
  /** How long COMMIT took; absent if it came to none. */
  commit_ms?: number;
}

const overtaken = new ServiceError(service_errors.storage_busy, "Others changed the same things.", {
  retry_after_seconds: 1,
});

/** The commands of a group have to run singly: one was overtaken, or failed after it had written. */
class RunSingly extends Error {}

export class Writer {
  readonly #options: WriterOptions;
  /** Null if nobody reads the metrics. */
  readonly #count: CountWrites | null;
  readonly #queue: Pending[] = [];
  #groups = 0;
  /** Number of writes in the last two groups. */
  #recent_writes = 0;
  #last_group_size = 0;
  #is_gathering = false;
  #is_closing = false;
  #idle: (() => void) | undefined;

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#count = countsWrites(options.meter);
    options.meter.reading(
      { name: "wharf_writes_waiting", type: "gauge", help: "Writes that are not answered yet." },
      () => this.#queue.length,
    );
  }

  /** Runs a command. Resolves when its result is durable. */
  write(name: string, input: unknown, call?: IdempotentCall): Promise<Written<unknown>> {
    if (this.#is_closing) {
      return Promise.reject(new ServiceError(service_errors.stopping, "The service is stopping."));
    }
    if (this.#queue.length >= storage_limits.writes_waiting_max) {
      return Promise.reject(
        new ServiceError(service_errors.storage_busy, "Too many writes are waiting.", {
          retry_after_seconds: 1,
        }),
      );
    }
    return new Promise((resolve, reject) => {
      const { numbers, runs_alone = false, changes } = this.#options.orderingOf(name);
      const is_batched = this.#options.commands[name]!.all !== undefined;
      const keys = runs_alone ? [alone_key] : keysOf(input, numbers, changes);
      const pending = { name, input, call, keys, is_batched, resolve, reject };
      if (runs_alone) void this.#commitSingly(pending).then((outcome) => this.#answer([pending], outcome));
      else this.#queue.push(pending);
      this.#sendSoon();
    });
  }

  /**
   * Schedules a send: at once if a quarter of the writes of the last two groups wait, else when the group before has ended and
   * `write_gather_ms` have passed. More are coming, and a small group costs nearly as much as a large one. A lone write does not wait.
   */
  #sendSoon(): void {
    if (this.#groups === postgres_limits.groups_max || this.#queue.length === 0) return;
    if (this.#queue.length * 4 >= this.#recent_writes) queueMicrotask(() => this.#send());
    else if (this.#groups === 0 && !this.#is_gathering) {
      this.#is_gathering = true;
      // Real time, in tests too: the other writes come from sockets.
      systemClock.after(storage_limits.write_gather_ms, () => {
        this.#is_gathering = false;
        this.#send();
      });
    }
  }

  #send(): void {
    if (this.#groups === postgres_limits.groups_max || this.#queue.length === 0) return;
    const group = this.#queue.splice(0, postgres_limits.write_group_max);
    this.#recent_writes = this.#last_group_size + group.length;
    this.#last_group_size = group.length;
    this.#groups++;
    void this.#commit(group).finally(() => {
      this.#groups--;
      this.#sendSoon();
      if (this.#groups === 0) this.#idle?.();
    });
    this.#sendSoon();
  }

  /** Commits a group and answers it. Never rejects. */
  async #commit(group: Pending[]): Promise<void> {
    try {
      this.#answer(group, await this.#options.pool.with((handle) => this.#transaction(handle, group)));
    } catch (error) {
      if (!(error instanceof RunSingly)) {
        const failure = this.#options.failureOf(error);
        return this.#answer(group, { replies: group.map(() => ({ error: failure })) });
      }
      for (const pending of group) this.#answer([pending], await this.#commitSingly(pending));
    }
  }

  #answer(group: Pending[], { replies, commit_ms }: GroupOutcome): void {
    const counted = replies.map((reply, i) => {
      const { name, resolve, reject } = group[i]!;
      if ("written" in reply) {
        resolve(reply.written);
        return { name, outcome: outcomeOfResult(reply.written) };
      }
      const failure = this.#options.failureOf(reply.error);
      reject(failure);
      return { name, outcome: outcomeOfError(failure instanceof ServiceError ? failure.definition : null) };
    });
    this.#count?.(counted, commit_ms);
  }

  /** Runs one command in its own transaction, again if others overtake it. */
  async #commitSingly(pending: Pending): Promise<GroupOutcome> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#options.pool.with((handle) => this.#transaction(handle, [pending], true));
      } catch (error) {
        if (error instanceof RunSingly && attempt < postgres_limits.attempts_max) continue;
        return {
          replies: [{ error: error instanceof RunSingly ? overtaken : this.#options.failureOf(error) }],
        };
      }
    }
  }

  /**
   * Runs commands in one transaction and commits it. Throws `RunSingly` if they have to run again, and any other error if the
   * transaction failed. `is_single`: there is one command; if it fails, the transaction is rolled back.
   */
  async #transaction(handle: ReservedSQL, group: Pending[], is_single = false): Promise<GroupOutcome> {
    const locks = lockNumbers(
      group.flatMap(({ keys }) => keys),
      this.#options.pool.schema ?? "",
    );
    // Sent without waiting: an error in one of these fails the commit.
    const begun: PromiseLike<unknown>[] = [begin(handle)];
    if (locks.length > 0) {
      begun.push(
        handle`SELECT pg_advisory_xact_lock(number) FROM unnest(${`{${locks.join()}}`}::bigint[]) AS number`,
      );
    }
    const opening = Promise.allSettled(begun);
    const sent: Promise<unknown>[] = [];
    try {
      const replies = new Map<Pending, Reply>();
      const announced: string[] = [];
      const runs = sideBySide(batchesOf(group), async ({ commands }) => {
        const tx = new PostgresTx(handle, this.#options.settledSeq, sent);
        const ran = await this.#run(tx, commands, is_single);
        for (const [i, reply] of ran.replies.entries()) replies.set(commands[i]!, reply);
        announced.push(...ran.announced);
      });
      // All have to end before the transaction does: a later statement would be a transaction of its own.
      fulfilled(await Promise.allSettled(runs));
      fulfilled(await opening);
      const topics = [...new Set(announced)];
      const begun_ms = systemClock.monotonic();
      const xid = await commit(handle, topics, sent);
      const commit_ms = systemClock.monotonic() - begun_ms;
      this.#options.announce(topics, xid);
      return { replies: group.map((pending) => replies.get(pending)!), commit_ms };
    } catch (error) {
      await opening;
      const failure = await firstFailure(sent);
      await handle`ROLLBACK`.catch(() => undefined);
      // Which command sent the statement is unknown.
      if (failure !== undefined && !isLost(failure) && !is_single) throw new RunSingly();
      if (error instanceof Failed) return { replies: [{ error: error.cause }] };
      if (error instanceof Overtaken || error instanceof RunSingly || isConflict(failure ?? error))
        throw new RunSingly();
      throw failure ?? error;
    }
  }

  /** Runs one command, or several that can run at once. */
  async #run(
    tx: PostgresTx,
    commands: Pending[],
    is_single: boolean,
  ): Promise<{ replies: Reply[]; announced: string[] }> {
    try {
      return { replies: await this.#replies(tx, commands), announced: tx.announced };
    } catch (error) {
      if (error instanceof Overtaken || isConflict(error) || isLost(error)) throw error;
      if (tx.rows_written === 0 && commands.length === 1 && isOfCommand(error))
        return { replies: [{ error }], announced: [] };
      // Its writes have to be undone, and those of the others not.
      throw is_single ? new Failed("", { cause: error }) : new RunSingly();
    }
  }

  async #replies(tx: Tx, commands: Pending[]): Promise<Reply[]> {
    const { name, input, call } = commands[0]!;
    const run = this.#options.commands[name]!;
    if (run.all) {
      const outcomes = await runAllIdempotent(tx, commands, run.all);
      return outcomes.map((outcome) => ("error" in outcome ? outcome : { written: outcome.result }));
    }
    const command = (): Promise<unknown> => run(tx, copyOf(input));
    const written = call
      ? await runIdempotent(tx, call, command)
      : { result: await command(), repeated: false };
    return [{ written }];
  }

  /** Refuses new writes, and finishes those in progress. */
  async close(): Promise<void> {
    this.#is_closing = true;
    if (this.#groups === 0 && this.#queue.length === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#idle = () => this.#queue.length === 0 && resolve();
    await promise;
  }
}

/** A single command failed after it had written; `cause` is its error. */
class Failed extends Error {}

/** Whether a command threw the error itself, so that the transaction can go on. */
const isOfCommand = (error: unknown): boolean =>
  error instanceof ServiceError || !(error instanceof Bun.SQL.SQLError);

/** Commands get data of their own, as in another thread. Those that run at once change none. */
const copyOf = (input: unknown): unknown => JSON.parse(JSON.stringify(input)) as unknown;
