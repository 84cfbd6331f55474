/**
 * Runs commands in groups: a group is one transaction, so its commands share one flush of the log. Commands of a kind that can
 * run at once do so. Others that change different things run side by side, and their statements share round trips.
 */

import { systemClock } from "../../core/clock.ts";
import { ServiceError } from "../../core/errors.ts";
import { service_errors } from "../../core/general_errors.ts";
import type { IdempotentCall, Written } from "../../core/storage.ts";
import type { Meter } from "../../core/meter.ts";
import { countsWrites, outcomeOfError, outcomeOfResult, type CountWrites } from "../write_metrics.ts";
import { storage_limits } from "../limits.ts";
import { isBlocked } from "./connection.ts";
import { runGroup, RunSingly, type GroupCommand, type GroupOptions, type GroupOutcome } from "./group.ts";
import { postgres_limits } from "./limits.ts";
import { alone_key, keysOf } from "./lock_keys.ts";

/** How a command runs beside others. */
export interface Ordering {
  /** Commands with the same value commit one after the other. */
  numbers?: string;
  runs_alone?: true;
  /** The members of its input that name what it changes, if it is not all that could. */
  changes?: readonly string[];
}

interface WriterOptions extends GroupOptions {
  orderingOf(name: string): Ordering;
  meter: Meter;
  /** What callers get for an error of Postgres. */
  failureOf(error: unknown): unknown;
}

interface Pending extends GroupCommand {
  /** Its arrival, in monotonic time. */
  began_ms: number;
  resolve(written: Written<unknown>): void;
  reject(error: unknown): void;
}

const blocked = new ServiceError(service_errors.storage_busy, "Others hold what the write needs.", {
  retry_after_seconds: 1,
});
const overtaken = new ServiceError(service_errors.storage_busy, "Others changed the same things.", {
  retry_after_seconds: 1,
});

export class Writer {
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

  constructor(private readonly options: WriterOptions) {
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
      const { numbers, runs_alone = false, changes } = this.options.orderingOf(name);
      const is_batched = this.options.commands[name]!.all !== undefined;
      const keys = runs_alone ? [alone_key] : keysOf(input, numbers, changes);
      const began_ms = systemClock.monotonic();
      const pending = { name, input, call, keys, is_batched, began_ms, resolve, reject };
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
      this.#answer(group, await this.#run(group));
    } catch (error) {
      if (error instanceof RunSingly) await this.#commitEach(group, error.is_blocked);
      else this.#refuse(group, this.options.failureOf(error));
    }
  }

  #run(group: Pending[], how?: Parameters<typeof runGroup>[3]): Promise<GroupOutcome> {
    return this.options.pool.with((handle) => runGroup(this.options, handle, group, how));
  }

  #refuse(group: Pending[], error: unknown): void {
    this.#answer(group, { replies: group.map(() => ({ error })) });
  }

  /**
   * Runs the commands of a group singly. `is_blocked`: a lock was not free in time. Those that need it must not hold up the others:
   * one of them waits once more, for a shorter time, and what has waited for too long by then is refused.
   */
  async #commitEach(group: Pending[], is_blocked: boolean): Promise<void> {
    if (!is_blocked) {
      for (const pending of group) this.#answer([pending], await this.#commitSingly(pending));
      return;
    }
    const held = new Set<string>();
    for (const pending of group) {
      const is_late = hasWaited(pending, postgres_limits.group_wait_ms_max);
      if (is_late || pending.keys.some((key) => held.has(key))) {
        this.#refuse([pending], blocked);
        continue;
      }
      const outcome = await this.#commitSingly(pending, postgres_limits.lock_again_seconds_max);
      const [reply] = outcome.replies;
      if ("error" in reply! && isBlocked(reply.error)) for (const key of pending.keys) held.add(key);
      this.#answer([pending], outcome);
    }
    const late = this.#queue.findIndex((pending) => !hasWaited(pending, postgres_limits.queue_wait_ms_max));
    this.#refuse(this.#queue.splice(0, late === -1 ? this.#queue.length : late), blocked);
  }

  #answer(group: Pending[], { replies, commit_ms }: GroupOutcome): void {
    const counted = replies.map((reply, i) => {
      const { name, resolve, reject } = group[i]!;
      if ("written" in reply) {
        resolve(reply.written);
        return { name, outcome: outcomeOfResult(reply.written) };
      }
      const failure = this.options.failureOf(reply.error);
      reject(failure);
      return { name, outcome: outcomeOfError(failure instanceof ServiceError ? failure.definition : null) };
    });
    this.#count?.(counted, commit_ms);
  }

  /** Runs one command in its own transaction, again if others overtake it. */
  async #commitSingly(pending: Pending, lock_seconds_max?: number): Promise<GroupOutcome> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#run([pending], { is_single: true, lock_seconds_max });
      } catch (error) {
        if (error instanceof RunSingly && attempt < postgres_limits.attempts_max) continue;
        return {
          replies: [{ error: error instanceof RunSingly ? overtaken : error }],
        };
      }
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

/** Whether a write came more than `wait_ms` ago. */
const hasWaited = ({ began_ms }: Pending, wait_ms: number): boolean =>
  systemClock.monotonic() - began_ms > wait_ms;
