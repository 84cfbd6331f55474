/**
 * Runs commands in groups: a group is one transaction, so its commands share one flush of the log. Commands of a group that
 * change different things run side by side, and their statements share round trips.
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
import { countsWrites, outcomeOfError, outcomeOfResult } from "../write_metrics.ts";
import { storage_limits } from "../limits.ts";
import { runIdempotent } from "../idempotency.ts";
import { begin, isConflict, isLost, PostgresTx } from "./connection.ts";
import { postgres_limits } from "./limits.ts";
import { alone_key, keysOf, lockNumbers } from "./lock_keys.ts";
import type { Pool } from "./pool.ts";

/** How a command runs beside others. */
export interface Ordering {
  /** Commands with the same value commit one after the other. */
  numbers?: string;
  runs_alone?: true;
}

export interface WriterOptions {
  pool: Pool;
  commands: CommandMap;
  orderingOf(name: string): Ordering;
  meter: Meter;
  settledSeq: ConstructorParameters<typeof PostgresTx>[1];
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
  readonly #count: ReturnType<typeof countsWrites>;
  readonly #queue: Pending[] = [];
  #groups = 0;
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
      const { numbers, runs_alone = false } = this.#options.orderingOf(name);
      const keys = runs_alone ? [alone_key] : keysOf(input, numbers);
      const pending = { name, input, call, keys, resolve, reject };
      if (runs_alone) void this.#commitSingly(pending).then((outcome) => this.#answer([pending], outcome));
      else this.#queue.push(pending);
      queueMicrotask(() => this.#send());
    });
  }

  #send(): void {
    while (this.#groups < postgres_limits.groups_max && this.#queue.length > 0) {
      const group = this.#queue.splice(0, postgres_limits.write_group_max);
      this.#groups++;
      void this.#commit(group).finally(() => {
        this.#groups--;
        this.#send();
        if (this.#groups === 0) this.#idle?.();
      });
    }
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
    this.#count(counted, commit_ms);
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
    try {
      const runs = sideBySide(group, (pending) => this.#run(handle, pending, is_single));
      // All have to end before the transaction does: a later statement would be a transaction of its own.
      const outcomes = fulfilled(await Promise.allSettled(runs));
      fulfilled(await opening);
      const topics = [...new Set(outcomes.flatMap(({ announced }) => announced))];
      const begun_ms = systemClock.monotonic();
      const xid = await commit(handle, topics);
      const commit_ms = systemClock.monotonic() - begun_ms;
      this.#options.announce(topics, xid);
      return { replies: outcomes.map(({ reply }) => reply), commit_ms };
    } catch (error) {
      await opening;
      await handle`ROLLBACK`.catch(() => undefined);
      if (error instanceof Failed) return { replies: [{ error: error.cause }] };
      if (error instanceof Overtaken || error instanceof RunSingly || isConflict(error))
        throw new RunSingly();
      throw error;
    }
  }

  async #run(
    handle: ReservedSQL,
    { name, input, call }: Pending,
    is_single: boolean,
  ): Promise<{ reply: Reply; announced: string[] }> {
    const tx = new PostgresTx(handle, this.#options.settledSeq);
    const command = (): Promise<unknown> => this.#options.commands[name]!(tx as Tx, copyOf(input));
    try {
      const written = call
        ? await runIdempotent(tx, call, command)
        : { result: await command(), repeated: false };
      return { reply: { written }, announced: tx.announced };
    } catch (error) {
      if (error instanceof Overtaken || isConflict(error) || isLost(error)) throw error;
      if (tx.rows_written === 0 && isOfCommand(error)) return { reply: { error }, announced: [] };
      // Its writes have to be undone, and those of the others not.
      throw is_single ? new Failed("", { cause: error }) : new RunSingly();
    }
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

/** Commands get data of their own, as in another thread. */
const copyOf = (input: unknown): unknown => JSON.parse(JSON.stringify(input)) as unknown;

/** The values of promises that have settled. Throws the reason of the first that was rejected. */
function fulfilled<Value>(settled: PromiseSettledResult<Value>[]): Value[] {
  return settled.map((outcome) => {
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  });
}

/** Runs `run` for each command of a group: after those before it that share one of its keys, and beside all others. */
function sideBySide<Result>(group: Pending[], run: (pending: Pending) => Promise<Result>): Promise<Result>[] {
  const last = new Map<string, Promise<unknown>>();
  return group.map((pending) => {
    const before = pending.keys.flatMap((key) => last.get(key) ?? []);
    const running = before.length === 0 ? run(pending) : Promise.all(before).then(() => run(pending));
    for (const key of pending.keys) last.set(key, running);
    return running;
  });
}

/** Records the topics and commits. Returns the id of the transaction if it has topics. Throws if the transaction had failed. */
async function commit(handle: ReservedSQL, topics: string[]): Promise<string | null> {
  const recording =
    topics.length === 0
      ? null
      : handle`INSERT INTO changes (topic) SELECT unnest(${handle.array(topics, "TEXT")}) RETURNING xid::text AS xid`;
  const [recorded, committed] = await Promise.allSettled([recording, handle`COMMIT`]);
  if (recorded.status === "rejected") throw recorded.reason;
  if (committed.status === "rejected") throw committed.reason;
  if ((committed.value as { command?: string }).command !== "COMMIT") throw new RunSingly();
  return (recorded.value?.[0]?.xid as string | undefined) ?? null;
}
