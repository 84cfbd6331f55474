/**
 * Checkpoints: copies the pages of the write-ahead log into the database and bounds the size of the log
 * (https://www.sqlite.org/wal.html, sections 2.3 and 6). Runs in the writer thread, after each group is answered.
 */

import { storage_limits } from "../limits.ts";
import { storageFailure, type Connection } from "./connection.ts";

interface Progress {
  /** 1 if readers or another writer blocked the checkpoint. */
  busy: number;
  /** Frames in the log. */
  log: number;
  /** Frames of the log that are in the database. */
  checkpointed: number;
}

/** Size of the header before each page in the log. */
const frame_header_bytes = 24;
/** How long a write may wait for readers when the log is over its bound. A read takes milliseconds. */
const patience_ms = 100;

export class Checkpoints {
  readonly #frame_bytes: number;
  /** Frames in the log at the last checkpoint. */
  #frames = 0;
  /** Frames in the log when readers last blocked some of them from being copied. */
  #held_frames = 0;
  #is_held = false;
  /** Whether a backup needs the log: nothing waits for its end. */
  is_needed = false;

  constructor(private readonly connection: Connection) {
    const { page_size } = connection.control("PRAGMA page_size") as { page_size: number };
    this.#frame_bytes = page_size + frame_header_bytes;
  }

  /** Whether a reader blocks the reset of a log that is over its bound. `bound` tries again. */
  get is_held(): boolean {
    return this.#is_held;
  }

  /** Size of the log in bytes. */
  get log_bytes(): number {
    return this.#frames * this.#frame_bytes;
  }

  /**
   * Copies the log into the database when it holds `checkpoint_pages` new frames. If the disk fails, the log stays as it is
   * and the next call tries again. Returns the number of bytes written to the log since the last call.
   */
  afterGroup(): number {
    const frames_before = this.#frames;
    const { log, checkpointed } = this.#run("NOOP");
    if (log < frames_before) this.#held_frames = 0;
    if (log - Math.max(checkpointed, this.#held_frames) >= storage_limits.checkpoint_pages) {
      const done = this.#run("PASSIVE");
      // Try blocked frames again only after as many new ones: each attempt costs more than the last.
      this.#held_frames = done.checkpointed < done.log ? done.log : 0;
    }
    if (this.log_bytes > storage_limits.wal_bytes_max && !this.#is_held) this.bound();
    return (log < frames_before ? log : log - frames_before) * this.#frame_bytes;
  }

  /**
   * If the log is over its bound, makes the next write begin at its start; truncates a file of more than twice the bound.
   * Waits up to 100 ms for readers. If one still blocks, `is_held` is true.
   */
  bound(): void {
    if (this.is_needed) return;
    const { log } = this.#run("NOOP");
    if (log * this.#frame_bytes <= storage_limits.wal_bytes_max) return void (this.#is_held = false);
    const mode = log * this.#frame_bytes > 2 * storage_limits.wal_bytes_max ? "TRUNCATE" : "RESTART";
    this.#is_held = this.#runWaiting(mode).busy === 1;
  }

  /** Truncates the log. Returns false if a reader blocked it. */
  empty(): boolean {
    if (this.#runWaiting("TRUNCATE").busy !== 0) return false;
    this.connection.has_erased = false;
    this.#is_held = false;
    return true;
  }

  /** Truncates the log if it may hold erased text. Returns false if a reader blocked it. */
  erase(): boolean {
    return !this.connection.has_erased || this.empty();
  }

  #runWaiting(mode: string): Progress {
    const { timeout } = this.connection.control("PRAGMA busy_timeout") as { timeout: number };
    this.connection.control(`PRAGMA busy_timeout = ${this.is_needed ? 0 : patience_ms}`);
    try {
      return this.#run(mode);
    } finally {
      this.connection.control(`PRAGMA busy_timeout = ${timeout}`);
    }
  }

  #run(mode: string): Progress {
    try {
      const progress = this.connection.control(`PRAGMA wal_checkpoint(${mode})`) as Progress;
      // Another connection copies the log just now.
      if (progress.log < 0) return { busy: 1, log: this.#frames, checkpointed: this.#frames };
      this.#frames = progress.log;
      return progress;
    } catch (error) {
      if (storageFailure(error) === error) throw error;
      return { busy: 1, log: this.#frames, checkpointed: this.#frames };
    }
  }
}
