/** What is known about the state of the storage: written to the log when it changes, and given to whoever asks. */

import type { FailureCode } from "../../core/error_codes.ts";
import type { Log } from "../../core/log.ts";
import type { Check } from "../../core/storage.ts";
import type { DiskUse } from "./disk_budget.ts";
import type { CheckOutcome } from "./integrity_worker.ts";
import type { WriteState } from "./group_commit.ts";

const passed: Check = { status: "ok" };
const failing = (code: FailureCode): Check => ({ status: "failing", code });

export class Health {
  readonly #log: Log;
  #writes_fail_by: FailureCode | null = null;
  #database: Check = passed;
  #is_disk_over = false;
  #checker: Worker | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  /** What `Storage.health` says. */
  checks(): Record<string, Check> {
    return {
      writes: this.#writes_fail_by === null ? passed : failing(this.#writes_fail_by),
      disk: this.#is_disk_over ? failing("disk_budget") : passed,
      database: this.#database,
    };
  }

  /** Whether the next start need not check the database. */
  get is_sound(): boolean {
    return this.#database.status === "ok";
  }

  /** Takes in whether the latest write worked. */
  noteWrites(failure: WriteState): void {
    if (failure && this.#writes_fail_by === null)
      this.#log.error("storage.failing", { error: failure.reason });
    if (!failure && this.#writes_fail_by !== null) this.#log.info("storage.recovered");
    this.#writes_fail_by = failure?.code ?? null;
  }

  /** Takes in whether a reader keeps the log over its bound. */
  noteLog(is_held: boolean, log_bytes: number): void {
    if (is_held) this.#log.warn("storage.log_held", { log_bytes });
    else this.#log.info("storage.log_released");
  }

  /** Takes in whether the disk's budget is reached. */
  noteDisk(is_over: boolean, use: DiskUse): void {
    if (is_over === this.#is_disk_over) return;
    this.#is_disk_over = is_over;
    if (is_over) this.#log.error("storage.over_disk_budget", { ...use });
    else this.#log.info("storage.within_disk_budget", { ...use });
  }

  noteLongRead(): void {
    this.#log.error("storage.read_ended", { error: "A query awaited something else than its handle." });
  }

  /** Damage that a read or an act has met. */
  noteDamage(error: unknown): void {
    this.#database = failing("storage_corrupt");
    this.#log.error("storage.corrupt", { error: String(error) });
  }

  /** Has `worker` look through the database in `file`. */
  check(worker: Worker, file: string): void {
    this.#log.info("storage.check_begun");
    this.#checker = worker;
    this.#database = { status: "running" };
    worker.onmessage = (event: MessageEvent<CheckOutcome>) => {
      this.endCheck();
      if ("broke" in event.data) return this.#checkBroke(event.data.broke);
      const { damage } = event.data;
      if (damage.length > 0) {
        this.#database = failing("storage_corrupt");
        this.#log.error("storage.check_failed", { damage });
      } else {
        // A read may have met damage meanwhile.
        if (this.#database.status === "running") this.#database = passed;
        this.#log.info("storage.check_passed");
      }
    };
    worker.onerror = (event) => this.#checkBroke(event.message);
    worker.postMessage(file);
  }

  /** The check says nothing about the database then, so the next start begins another. */
  #checkBroke(reason: string): void {
    this.endCheck();
    if (this.#database.status === "running") this.#database = { status: "unknown" };
    this.#log.error("storage.check_broke", { error: reason });
  }

  /** Ends the check where it is. It may be inside a statement, which its thread ends for itself. */
  endCheck(): void {
    this.#checker?.terminate();
    this.#checker = undefined;
  }
}
