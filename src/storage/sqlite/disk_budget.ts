/** How much of the disk the data directory may take: measured now and then, and in between by how much the log grew. */

import { lstatSync, readdirSync, statfsSync, statSync, type Dirent } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../core/clock.ts";
import { limits } from "../../core/limits.ts";

export interface DiskLimits {
  /** Bytes that everything in the directory may hold together; 0: no limit. */
  max_bytes: number;
  /** Bytes that must stay free on its disk; 0: none; null: the default for a disk of that size. */
  min_free_bytes: number | null;
}

/** What was measured, for the log. */
export interface DiskUse {
  used_bytes: number;
  max_bytes: number;
  /** Null where the system does not tell. */
  free_bytes: number | null;
  min_free_bytes: number;
}

/** "spent": over, and the database has grown since by as much as the acts that go on may take. */
export type DiskLevel = "within" | "over" | "spent";

const look_every_ms = 1_000;
/** Bytes that may be written between two looks, however much room there is. */
const unseen_bytes_max = 4 * 1024 * 1024;
/** A byte in the log may be another one in the database, once it is moved there. */
const growth_of_a_log_byte = 2;
/** Looking through files that are not the database's may take this share of the time. */
const share_of_time = 0.01;

export class DiskBudget {
  readonly #directory: string;
  readonly #limits: DiskLimits;
  readonly #clock: Clock;
  readonly #database_files: Set<string>;
  #use: DiskUse;
  #looked_at_ms = Number.NEGATIVE_INFINITY;
  #grown_bytes = 0;
  #other_bytes = 0;
  #others_looked_at_ms = Number.NEGATIVE_INFINITY;
  #others_wait_ms = 0;
  /** Size of the database when the budget was reached; null while it is not. */
  #reached_at_bytes: number | null = null;
  #database_bytes = 0;

  constructor(database_file: string, disk_limits: DiskLimits, clock: Clock) {
    this.#directory = join(database_file, "..");
    this.#database_files = new Set(["", "-wal", "-shm"].map((suffix) => database_file + suffix));
    this.#limits = disk_limits;
    this.#clock = clock;
    const { max_bytes } = disk_limits;
    this.#use = { used_bytes: 0, max_bytes, free_bytes: null, min_free_bytes: 0 };
  }

  get use(): DiskUse {
    return this.#use;
  }

  get level(): DiskLevel {
    if (this.#reached_at_bytes === null) return "within";
    const reserve_bytes = Math.min(limits.disk_reserve_bytes_max, this.#limits.max_bytes / 8 || Infinity);
    return this.#database_bytes - this.#reached_at_bytes > reserve_bytes ? "spent" : "over";
  }

  /** Takes in that the log got `bytes`. */
  grew(bytes: number): void {
    this.#grown_bytes += growth_of_a_log_byte * bytes;
  }

  /** Whether it is time for `look`: a second has passed, or what was written since could matter. */
  get is_stale(): boolean {
    if (this.#limits.max_bytes === 0 && this.#limits.min_free_bytes === 0) return false;
    if (this.#clock.monotonic() - this.#looked_at_ms >= look_every_ms) return true;
    return (
      this.#reached_at_bytes === null &&
      this.#grown_bytes >= Math.min(unseen_bytes_max, this.#headroomBytes() / 2)
    );
  }

  /**
   * Measures. `database_bytes`: the size of the database once its log is in it, which counts as used already, so that a
   * checkpoint never leads beyond the budget.
   */
  look(database_bytes: number): void {
    const now_ms = this.#clock.monotonic();
    this.#looked_at_ms = now_ms;
    this.#grown_bytes = 0;
    this.#database_bytes = database_bytes;
    const [file, ...logs] = Array.from(this.#database_files, sizeOf) as [number, ...number[]];
    if (now_ms - this.#others_looked_at_ms >= this.#others_wait_ms) this.#lookAtOthers(now_ms);
    const growth_bytes = Math.max(database_bytes - file, 0);
    const used_bytes = file + growth_bytes + logs.reduce((sum, bytes) => sum + bytes, this.#other_bytes);
    this.#use = { ...this.#use, used_bytes, ...this.#free(growth_bytes) };
    const is_reached = this.#headroomBytes() <= 0;
    if (!is_reached) this.#reached_at_bytes = null;
    else this.#reached_at_bytes ??= database_bytes;
  }

  #lookAtOthers(now_ms: number): void {
    this.#other_bytes = sizeBelow(this.#directory, this.#database_files);
    this.#others_looked_at_ms = now_ms;
    this.#others_wait_ms = (this.#clock.monotonic() - now_ms) / share_of_time;
  }

  #free(growth_bytes: number): Pick<DiskUse, "free_bytes" | "min_free_bytes"> {
    const { min_free_bytes } = this.#limits;
    try {
      const { bavail, blocks, bsize } = statfsSync(this.#directory);
      const total_bytes = blocks * bsize;
      const is_small = total_bytes < limits.disk_small_bytes;
      const by_default = is_small ? total_bytes * limits.disk_min_free_share : limits.disk_min_free_bytes;
      return { free_bytes: bavail * bsize - growth_bytes, min_free_bytes: min_free_bytes ?? by_default };
    } catch {
      // A system that does not tell has no such limit.
      return { free_bytes: null, min_free_bytes: min_free_bytes ?? 0 };
    }
  }

  /** Bytes that may still be written. Writes end a little before the limit, so that the group that comes to it fits. */
  #headroomBytes(): number {
    const { used_bytes, max_bytes, free_bytes, min_free_bytes } = this.#use;
    const margin_bytes = Math.min(limits.disk_margin_bytes_max, max_bytes / 16);
    const of_max = max_bytes === 0 ? Infinity : max_bytes - margin_bytes - used_bytes;
    const of_free = min_free_bytes === 0 || free_bytes === null ? Infinity : free_bytes - min_free_bytes;
    return Math.min(of_max, of_free);
  }
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** The size of all files below `directory` but those in `without`. Links are not followed. */
function sizeBelow(directory: string, without: Set<string>): number {
  let bytes = 0;
  for (const entry of entriesOf(directory)) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) bytes += sizeBelow(path, without);
    else if (!without.has(path)) bytes += lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
  }
  return bytes;
}

/** None in a directory that has vanished meanwhile, or that may not be read. */
function entriesOf(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}
