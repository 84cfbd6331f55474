/** The state of the storage for health checks. Logs each change. */

import { service_errors } from "../../core/general_errors.ts";
import type { ErrorDefinition } from "../../core/error_definition.ts";
import type { Log } from "../../core/log.ts";
import type { Check } from "../../core/storage.ts";
import type { DiskUse } from "./disk_budget.ts";
import type { CheckOutcome } from "./integrity_worker.ts";
import type { WriteState } from "./group_commit.ts";

const passed: Check = { status: "ok" };
const failing = ({ code }: Pick<ErrorDefinition, "code">): Check => ({ status: "failing", code });

export class Health {
  #write_failure: string | null = null;
  #database: Check = passed;
  #is_disk_over = false;
  #is_log_held = false;
  #checker: Worker | undefined;

  constructor(private readonly log: Log) {}

  /** The result of `Storage.health`. */
  checks(): Record<string, Check> {
    return {
      writes: this.#write_failure === null ? passed : failing({ code: this.#write_failure }),
      disk: this.#is_disk_over ? failing(service_errors.disk_budget) : passed,
      database: this.#database,
      log: this.#is_log_held ? failing({ code: "log_held" }) : passed,
    };
  }

  /** Whether the database is known to be sound, so that the next start need not check it. */
  get is_sound(): boolean {
    return this.#database.status === "ok";
  }

  /** Notes whether the latest write worked. */
  noteWrites(failure: WriteState): void {
    if (failure && this.#write_failure === null) this.log.error("storage.failing", { error: failure.reason });
    if (!failure && this.#write_failure !== null) this.log.info("storage.recovered");
    this.#write_failure = failure?.code ?? null;
  }

  /** Notes whether a reader blocks the reset of a log that is over its bound. */
  noteLog(is_held: boolean, log_bytes: number): void {
    this.#is_log_held = is_held;
    if (is_held) this.log.warn("storage.log_held", { log_bytes });
    else this.log.info("storage.log_released");
  }

  /** Notes whether the disk budget is reached. */
  noteDisk(is_over: boolean, use: DiskUse): void {
    if (is_over === this.#is_disk_over) return;
    this.#is_disk_over = is_over;
    if (is_over) this.log.error("storage.over_disk_budget", { ...use });
    else this.log.info("storage.within_disk_budget", { ...use });
  }

  noteLongRead(): void {
    this.log.error("storage.read_ended", { error: "A query awaited something else than its handle." });
  }

  /** Notes that a read or a command found the database damaged. */
  noteDamage(error: unknown): void {
    this.#database = failing(service_errors.storage_corrupt);
    this.log.error("storage.corrupt", { error: String(error) });
  }

  /** Checks the whole database in `file` in `worker`, which runs `serveCheck`. */
  check(worker: Worker, file: string): void {
    this.log.info("storage.check_begun");
    this.#checker = worker;
    this.#database = { status: "running" };
    worker.onmessage = (event: MessageEvent<CheckOutcome>) => {
      this.endCheck();
      if ("error" in event.data) return this.#checkFailed(event.data.error);
      const { damage } = event.data;
      if (damage.length > 0) {
        this.#database = failing(service_errors.storage_corrupt);
        this.log.error("storage.check_failed", { damage });
      } else {
        // A read may have found damage meanwhile.
        if (this.#database.status === "running") this.#database = passed;
        this.log.info("storage.check_passed");
      }
    };
    worker.onerror = (event) => this.#checkFailed(event.message);
    worker.postMessage(file);
  }

  /** The check ended without a result. The state is unknown, so the next start checks again. */
  #checkFailed(reason: string): void {
    this.endCheck();
    if (this.#database.status === "running") this.#database = { status: "unknown" };
    this.log.error("storage.check_broke", { error: reason });
  }

  /** Aborts the check. A running statement ends with its thread. */
  endCheck(): void {
    this.#checker?.terminate();
    this.#checker = undefined;
  }
}
