/** Runs the chores after writes: on one node at a time, each step in a transaction of its own. */

import { systemClock } from "../../core/clock.ts";
import { errorText, type Log } from "../../core/log.ts";
import type { Chore } from "../../core/storage.ts";
import { begin, isConflict, isLost, PostgresTx } from "./connection.ts";
import { postgres_limits } from "./limits.ts";
import { alone_key, lockNumbers } from "./lock_keys.ts";
import type { Pool } from "./pool.ts";

export interface ChoreOptions {
  pool: Pool;
  chores: readonly Chore[];
  settledSeq: ConstructorParameters<typeof PostgresTx>[1];
  log: Log;
}

/** How long after a write the chores run, and after one that another node does. */
const rest_ms = 50;
const others_ms = 1_000;

export class Chores {
  readonly #options: ChoreOptions;
  readonly #lock: bigint;
  #is_due = false;
  #running: Promise<void> = Promise.resolve();
  #cancel = () => {};
  #is_closed = false;

  constructor(options: ChoreOptions) {
    this.#options = options;
    [this.#lock] = lockNumbers([alone_key], options.pool.schema ?? "") as [bigint];
  }

  /** Notes that something was written. */
  due(): void {
    if (this.#is_due || this.#is_closed) return;
    this.#is_due = true;
    this.#after(rest_ms);
  }

  #after(delay_ms: number): void {
    this.#cancel = systemClock.after(delay_ms, () => {
      this.#is_due = false;
      this.#running = this.#run();
    });
  }

  async #run(): Promise<void> {
    const { chores, log } = this.#options;
    try {
      for (const chore of chores) {
        for (let more = true; more && !this.#is_closed;) {
          const done = await this.#step(chore);
          if (done === "elsewhere") return this.#later();
          more = done === "more";
        }
      }
      await this.#forgetChanges();
    } catch (error) {
      if (!isConflict(error) && !isLost(error)) log.error("storage.chore_broke", { error: errorText(error) });
      this.#later();
    }
  }

  #later(): void {
    if (this.#is_due || this.#is_closed) return;
    this.#is_due = true;
    this.#after(others_ms);
  }

  /** Runs one step of a chore, unless another node runs one. */
  #step(chore: Chore): Promise<"more" | "done" | "elsewhere"> {
    return this.#options.pool.with(async (handle) => {
      try {
        await begin(handle);
        const [lock] = await handle`SELECT pg_try_advisory_xact_lock(${this.#lock}) AS is_ours`;
        const tx = new PostgresTx(handle, this.#options.settledSeq);
        const outcome = !lock.is_ours ? "elsewhere" : (await chore(tx)) ? "more" : "done";
        await handle`COMMIT`;
        return outcome;
      } catch (error) {
        await handle`ROLLBACK`.catch(() => undefined);
        throw error;
      }
    });
  }

  /** Deletes the records of changes that every node has read. */
  #forgetChanges(): Promise<unknown> {
    const oldest = `${postgres_limits.changes_seconds_max} seconds`;
    return this.#options.pool.with(
      (handle) => handle`DELETE FROM changes WHERE at < now() - ${oldest}::interval`,
    );
  }

  async close(): Promise<void> {
    this.#is_closed = true;
    this.#cancel();
    await this.#running;
  }
}
