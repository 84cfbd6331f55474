/**
 * Checkpoints: move the pages of the write-ahead log into the database, and keep the log from growing without bound
 * (https://www.sqlite.org/wal.html, section 2.3 and 6). Runs in the writer's thread, behind the answers.
 */

import { limits } from "../../core/limits.ts";
import { storageFailure, type Connection } from "./connection.ts";

interface Progress {
  /** 1 when readers or another writer were in the way. */
  busy: number;
  /** Frames in the log, and how many of them are in the database. */
  log: number;
  checkpointed: number;
}

/** Each page in the log has a header of its own. */
const frame_header_bytes = 24;
/** How long a write may wait for readers to leave a log that is over its bound: each of them reads for milliseconds. */
const patience_ms = 100;

export class Checkpoints {
  readonly #connection: Connection;
  readonly #frame_bytes: number;
  /** Frames in the log when it was last looked at. */
  #frames = 0;
  /** Frames in the log when readers last kept some of them from the database. */
  #held_frames = 0;
  #is_held = false;

  constructor(connection: Connection) {
    this.#connection = connection;
    const { page_size } = connection.control("PRAGMA page_size") as { page_size: number };
    this.#frame_bytes = page_size + frame_header_bytes;
  }

  /** Whether a reader keeps a log over its bound from being reset. `bound` tries again. */
  get is_held(): boolean {
    return this.#is_held;
  }

  /** Size of the log's content. */
  get log_bytes(): number {
    return this.#frames * this.#frame_bytes;
  }

  /**
   * Moves the log into the database once it holds enough. A failing disk is no loss here: the log is kept and the next
   * call tries again. Answers how many bytes the log got since the last call.
   */
  afterGroup(): number {
    const frames_before = this.#frames;
    const { log, checkpointed } = this.#run("NOOP");
    if (log < frames_before) this.#held_frames = 0;
    if (log - Math.max(checkpointed, this.#held_frames) >= limits.checkpoint_pages) {
      const done = this.#run("PASSIVE");
      // What a reader still needs is looked at again when as much has come again: each look costs more than the last.
      this.#held_frames = done.checkpointed < done.log ? done.log : 0;
    }
    if (this.log_bytes > limits.wal_bytes_max && !this.#is_held) this.bound();
    return (log < frames_before ? log : log - frames_before) * this.#frame_bytes;
  }

  /**
   * Has the next write begin at the log's start if the log is over its bound, and cuts a file that is far over it. Waits a
   * moment for readers; if one stays, `is_held` is true.
   */
  bound(): void {
    const { log } = this.#run("NOOP");
    if (log * this.#frame_bytes <= limits.wal_bytes_max) return void (this.#is_held = false);
    const mode = log * this.#frame_bytes > 2 * limits.wal_bytes_max ? "TRUNCATE" : "RESTART";
    this.#is_held = this.#runWaiting(mode).busy === 1;
  }

  /** Empties the log's file; answers whether no reader was in the way. */
  empty(): boolean {
    if (this.#runWaiting("TRUNCATE").busy !== 0) return false;
    this.#connection.has_erased = false;
    this.#is_held = false;
    return true;
  }

  /** Empties the log's file if it may hold a text that was destroyed; answers whether none does any more. */
  erase(): boolean {
    return !this.#connection.has_erased || this.empty();
  }

  #runWaiting(mode: string): Progress {
    const { timeout } = this.#connection.control("PRAGMA busy_timeout") as { timeout: number };
    this.#connection.control(`PRAGMA busy_timeout = ${patience_ms}`);
    try {
      return this.#run(mode);
    } finally {
      this.#connection.control(`PRAGMA busy_timeout = ${timeout}`);
    }
  }

  #run(mode: string): Progress {
    try {
      const progress = this.#connection.control(`PRAGMA wal_checkpoint(${mode})`) as Progress;
      this.#frames = progress.log;
      return progress;
    } catch (error) {
      if (storageFailure(error) === error) throw error;
      return { busy: 1, log: this.#frames, checkpointed: this.#frames };
    }
  }
}
