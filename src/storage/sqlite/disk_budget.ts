/** Limits the disk space of the data directory: measures it about once a second, and estimates its growth in between. */

import { lstatSync, readdirSync, statfsSync, statSync, type Dirent } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../core/clock.ts";
import { storage_limits } from "../limits.ts";
import type { DatabaseSize } from "./space.ts";
import { isUpgradeCopy } from "./upgrade_copy.ts";

export interface DiskLimits {
  /** Most bytes that all files in the directory may have together; 0: no limit. */
  max_bytes: number;
  /** Bytes that must stay free on the disk; 0: none; null: the default for a disk of that size. */
  min_free_bytes: number | null;
}

/** The measured values, for the log. */
export interface DiskUse {
  /** Size of the files, without the free pages of the database. */
  used_bytes: number;
  max_bytes: number;
  /** Null if the system does not report it. */
  free_bytes: number | null;
  min_free_bytes: number;
}

/** "spent": over, and commands that are allowed over the budget have used up the reserve. */
type DiskLevel = "within" | "over" | "spent";

const measure_every_ms = 1_000;
/** Most bytes that may be written between two measurements. */
const unmeasured_bytes_max = 4 * 1024 * 1024;
/** Each byte in the log may add another byte to the database at the next checkpoint. */
const growth_of_a_log_byte = 2;
/** Share of the free pages that may be in the log between two measurements while the files leave no room. */
const share_for_log = 1 / 16;
/** Share of the time that measuring files other than the database may take. */
const share_of_time = 0.01;

export class DiskBudget {
  readonly #directory: string;
  readonly #limits: DiskLimits;
  readonly #clock: Clock;
  readonly #database_files: Set<string>;
  #use: DiskUse;
  #measured_at_ms = Number.NEGATIVE_INFINITY;
  #grown_bytes = 0;
  #other_bytes = 0;
  #others_measured_at_ms = Number.NEGATIVE_INFINITY;
  #others_wait_ms = 0;
  /** Pages of the database in use, in bytes, when the budget was reached; null while it is not reached. */
  #reached_at_bytes: number | null = null;
  /** The same at the last measurement. */
  #stored_bytes = 0;
  /** Free pages of the database, in bytes, at the last measurement. */
  #reusable_bytes = 0;

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
    const reserve_bytes = Math.min(
      storage_limits.disk_reserve_bytes_max,
      this.#limits.max_bytes / 8 || Infinity,
    );
    return this.#stored_bytes - this.#reached_at_bytes > reserve_bytes ? "spent" : "over";
  }

  /** Whether the files leave no room, so that writes can use only the free pages of the database, and a small log. */
  get is_tight(): boolean {
    return this.room_bytes <= 0;
  }

  /** Notes that `bytes` were written to the log. */
  grew(bytes: number): void {
    this.#grown_bytes += growth_of_a_log_byte * bytes;
  }

  /** Whether to call `measure`: a second has passed, or the bytes written since could exceed the budget. */
  get is_stale(): boolean {
    if (this.#limits.max_bytes === 0 && this.#limits.min_free_bytes === 0) return false;
    if (this.#clock.monotonic() - this.#measured_at_ms >= measure_every_ms) return true;
    const room_bytes = Math.max(this.room_bytes, this.#reusable_bytes * share_for_log);
    return (
      this.#reached_at_bytes === null && this.#grown_bytes >= Math.min(unmeasured_bytes_max, room_bytes / 2)
    );
  }

  /**
   * Measures the disk. What the next checkpoint adds to the database counts as used already, so that it cannot exceed the
   * budget. Free pages of the database are not used.
   */
  measure(database: DatabaseSize): void {
    const now_ms = this.#clock.monotonic();
    this.#measured_at_ms = now_ms;
    this.#grown_bytes = 0;
    this.#reusable_bytes = database.free_bytes;
    this.#stored_bytes = database.bytes - database.free_bytes;
    const [file, ...logs] = Array.from(this.#database_files, sizeOf) as [number, ...number[]];
    if (now_ms - this.#others_measured_at_ms >= this.#others_wait_ms) this.#measureOthers(now_ms);
    const growth_bytes = Math.max(database.bytes - file, 0);
    const files_bytes = file + growth_bytes + logs.reduce((sum, bytes) => sum + bytes, this.#other_bytes);
    const used_bytes = files_bytes - this.#reusable_bytes;
    this.#use = { ...this.#use, used_bytes, ...freeSpace(this.#directory, this.#limits.min_free_bytes) };
    if (this.#use.free_bytes !== null) this.#use.free_bytes -= growth_bytes;
    const is_reached = this.room_bytes + this.#reusable_bytes <= 0;
    if (!is_reached) this.#reached_at_bytes = null;
    else this.#reached_at_bytes ??= this.#stored_bytes;
  }

  /** Measures the files that do not belong to the database. */
  #measureOthers(now_ms: number): void {
    this.#other_bytes = sizeBelow(this.#directory, this.#database_files);
    this.#others_measured_at_ms = now_ms;
    this.#others_wait_ms = (this.#clock.monotonic() - now_ms) / share_of_time;
  }

  /** Bytes by which the files may still grow, as last measured. */
  get room_bytes(): number {
    const { used_bytes, max_bytes, free_bytes, min_free_bytes } = this.#use;
    const files_bytes = used_bytes + this.#reusable_bytes;
    const of_max = max_bytes === 0 ? Infinity : max_bytes - marginBytes(max_bytes) - files_bytes;
    const of_free =
      min_free_bytes === 0 || free_bytes === null
        ? Infinity
        : free_bytes - min_free_bytes - marginBytes(min_free_bytes);
    return Math.min(of_max, of_free);
  }
}

/** The free bytes on the disk of `directory`, and how many have to stay free (null: the default for a disk of that size). */
export function freeSpace(
  directory: string,
  min_free_bytes: number | null,
): Pick<DiskUse, "free_bytes" | "min_free_bytes"> {
  try {
    const { bavail, blocks, bsize } = statfsSync(directory);
    const total_bytes = blocks * bsize;
    const is_small = total_bytes < storage_limits.disk_small_bytes;
    const by_default = is_small
      ? total_bytes * storage_limits.disk_min_free_share
      : storage_limits.disk_min_free_bytes;
    return { free_bytes: bavail * bsize, min_free_bytes: min_free_bytes ?? by_default };
  } catch {
    // Some systems do not report the free space; they have no such limit.
    return { free_bytes: null, min_free_bytes: min_free_bytes ?? 0 };
  }
}

/** Writes end this much before a limit, so that the group that reaches it still fits. */
const marginBytes = (limit_bytes: number): number =>
  Math.min(storage_limits.disk_margin_bytes_max, limit_bytes / 16);

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Size of all files below `directory` except those in `without` and copies from before upgrades. Does not follow links. */
export function sizeBelow(directory: string, without: Set<string>): number {
  let bytes = 0;
  for (const entry of entriesOf(directory)) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) bytes += sizeBelow(path, without);
    else if (!without.has(path) && !isUpgradeCopy(entry.name))
      bytes += lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
  }
  return bytes;
}

/** The entries of a directory; none if it has been deleted meanwhile or cannot be read. */
function entriesOf(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}
