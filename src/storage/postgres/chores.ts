/** Runs the chores after writes: on one node at a time, each step in a transaction of its own. */

import { systemClock } from "../../core/clock.ts";
import { ServiceError } from "../../core/errors.ts";
import { errorText, type Log } from "../../core/log.ts";
import type { Chore } from "../../core/storage.ts";
import { begin, isConflict, isLost, PostgresTx, type SettledSeq } from "./connection.ts";
import { postgres_limits } from "./limits.ts";
import { alone_key, lockNumbers } from "./lock_keys.ts";
import type { Pool } from "./pool.ts";

interface ChoreOptions {
  pool: Pool;
  chores: readonly Chore[];
  settledSeq: SettledSeq;
  log: Log;
}

/**
 * How long no write must come before the chores run, and after what time one step of each runs even so: writes go first. If the
 * chores fall behind, they catch up when no writes come, or when a search indexes the rest.
 */
const rest_ms = 50;
const busy_ms = 1_000;

export class Chores {
  readonly #lock: bigint;
  #is_due = false;
  #running: Promise<void> = Promise.resolve();
  #cancel = () => {};
  #is_closed = false;
  #written_ms = 0;
  #forgot_ms = -Infinity;

  constructor(private readonly options: ChoreOptions) {
    [this.#lock] = lockNumbers([alone_key], options.pool.schema ?? "") as [bigint];
  }

  /** Notes that something was written. */
  due(): void {
    this.#written_ms = systemClock.monotonic();
    if (this.#is_due || this.#is_closed) return;
    this.#is_due = true;
    this.#wait(rest_ms, this.#written_ms + busy_ms);
  }

  /** Runs the chores after `delay_ms`, or when no writes come any more, but at the latest at `end_ms`. */
  #wait(delay_ms: number, end_ms: number): void {
    this.#cancel = systemClock.after(delay_ms, () => {
      const now_ms = systemClock.monotonic();
      if (now_ms - this.#written_ms < rest_ms && now_ms < end_ms) return this.#wait(rest_ms, end_ms);
      this.#is_due = false;
      this.#running = this.#run(now_ms);
    });
  }

  async #run(began_ms: number): Promise<void> {
    const { chores, log, pool } = this.options;
    if (pool.is_down) return this.#later();
    try {
      for (const chore of chores) {
        for (let more = true; more && !this.#is_closed;) {
          const done = await this.#step(chore);
          if (done === "elsewhere") return this.#later();
          more = done === "more" && this.#written_ms <= began_ms;
        }
      }
      await this.#forgetChanges();
    } catch (error) {
      // No connection was free, or the database is gone: that is logged once, elsewhere.
      const is_expected = isConflict(error) || isLost(error) || error instanceof ServiceError;
      if (!is_expected) log.error("storage.chore_broke", { error: errorText(error) });
      this.#later();
    }
  }

  #later(): void {
    if (this.#is_due || this.#is_closed) return;
    this.#is_due = true;
    this.#wait(busy_ms, 0);
  }

  /** Runs one step of a chore, unless another node runs one. */
  #step(chore: Chore): Promise<"more" | "done" | "elsewhere"> {
    return this.options.pool.with(async (handle) => {
      try {
        const [, [lock]] = await Promise.all([
          begin(handle),
          handle`SELECT pg_try_advisory_xact_lock(${this.#lock}) AS is_ours`,
        ]);
        const tx = new PostgresTx(handle, this.options.settledSeq);
        const outcome = !lock.is_ours ? "elsewhere" : (await chore(tx)) ? "more" : "done";
        await handle`COMMIT`;
        return outcome;
      } catch (error) {
        await handle`ROLLBACK`.catch(() => undefined);
        throw error;
      }
    });
  }

  /** Deletes the records of changes that every node has read. Not after each write: it reads all of them. */
  async #forgetChanges(): Promise<void> {
    const now_ms = systemClock.monotonic();
    if (now_ms - this.#forgot_ms < postgres_limits.changes_forgotten_seconds * 1000) return;
    this.#forgot_ms = now_ms;
    const oldest = `${postgres_limits.changes_seconds_max} seconds`;
    await this.options.pool.with(
      (handle) => handle`DELETE FROM changed_topics WHERE at < now() - ${oldest}::interval`,
    );
  }

  async close(): Promise<void> {
    this.#is_closed = true;
    this.#cancel();
    await this.#running;
  }
}
