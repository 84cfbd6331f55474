/** Whether writes work, for /readyz and the metrics: found out by a durable write. */

import type { ReservedSQL } from "bun";
import { systemClock } from "../../core/clock.ts";
import { ServiceError } from "../../core/errors.ts";
import { errorText, type Log } from "../../core/log.ts";
import { service_errors } from "../../core/general_errors.ts";
import type { Check } from "../../core/storage.ts";
import { begin, hintOf, storageFailure } from "./connection.ts";
import { postgres_limits } from "./limits.ts";
import type { Pool } from "./pool.ts";

export class Health {
  #probed_ms = -Infinity;
  #probe: Promise<string | null> = Promise.resolve(null);
  /** Why the last probe failed. */
  #failure: string | null = null;

  constructor(
    private readonly pool: Pool,
    private readonly log: Log,
  ) {}

  /** Whether writes work, by a probe that is at most a second old: many callers cost no more than one write a second. */
  async writes(): Promise<Check> {
    const now_ms = systemClock.monotonic();
    if (now_ms - this.#probed_ms >= postgres_limits.probe_every_ms) {
      this.#probed_ms = now_ms;
      this.#probe = this.pool.with(probe).then(
        () => this.#passed(),
        (error: unknown) => this.#failed(error),
      );
    }
    const code = await this.#probe;
    return code === null ? { status: "ok" } : { status: "failing", code };
  }

  #passed(): null {
    if (this.#failure !== null) this.log.info("storage.recovered");
    this.#failure = null;
    return null;
  }

  /** Returns the code that callers get. Logs the first of equal failures, unless the log says already that the database does not answer. */
  #failed(error: unknown): string {
    const text = errorText(error);
    if (text !== this.#failure && !this.pool.is_down)
      this.log.error("storage.failing", { error: text, hint: hintOf(error) });
    this.#failure = text;
    const failure = storageFailure(error);
    return failure instanceof ServiceError ? failure.code : service_errors.internal.code;
  }
}

/**
 * Does what a post does: waits for the locks, changes a row and commits. Throws why that fails. A row alone may fit where the disk
 * is full: a list that is larger than its memory takes room there for a moment, and leaves nothing behind.
 */
async function probe(handle: ReservedSQL): Promise<void> {
  try {
    await begin(handle, { seconds_max: postgres_limits.lock_seconds_max });
    await handle`LOCK TABLE rooms, posts, names, slots, jobs, notes IN ROW EXCLUSIVE MODE`;
    await handle`UPDATE schema_version SET version = version`;
    await handle`SELECT set_config('work_mem', '64kB', true)`;
    await handle`SELECT COUNT(*) FROM generate_series(1, ${postgres_limits.probe_rows}::int)`;
    await handle`COMMIT`;
  } catch (error) {
    await handle`ROLLBACK`.catch(() => undefined);
    throw error;
  }
}
