/** The loop of a watcher: wait for news, run the command, save the position, and try again what failed. */

import { systemClock } from "../../../core/clock.ts";
import { nothing_came_status, type ShellContext } from "../shell_command.ts";
import { call_wait_seconds_max } from "../waiting.ts";
import { WatcherCalls } from "./calls.ts";
import { emptyBatch, isNews, type Batch } from "./news.ts";
import {
  lockPosition,
  positionFile,
  readPosition,
  savePosition,
  type Position,
  type Watched,
} from "./position.ts";
import { startRun, type Run } from "./runs.ts";

interface WatchRules {
  /** The program and its arguments. */
  command: readonly string[];
  /** Ends after a run, or if nothing is new within so many seconds. Null: continues. */
  once_seconds: number | null;
  /** How long to gather after the first item, in seconds. */
  debounce_seconds: number;
  /** How often a failed run is tried again. */
  retries: number;
  /** Whether notes become read when a run has covered them. */
  acknowledges: boolean;
}

/** Failed runs are tried again after 1, 5, 25, 125 s; from then on after this time. */
const retry_seconds_max = 300;
/** How often a watcher that waits for a lock tries to get it. */
const lock_retry_seconds = 0.2;

/** Watches until it is stopped, the room is closed, or the rules end it. Throws if the command failed too often. */
export async function watch(shell: ShellContext, watched: Watched, rules: WatchRules): Promise<void> {
  const stop = new AbortController();
  const watcher = new Watcher(shell, watched, rules, stop.signal);
  shell.terminal.onStop((signal) => {
    stop.abort();
    watcher.run?.signal(signal);
  });
  try {
    await watcher.watch();
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  }
}

class Watcher {
  /** The run that is under way. */
  run: Run | null = null;
  readonly #file: string;
  readonly #calls: WatcherCalls;
  #position: Position = { cursors: {} };

  constructor(
    private readonly shell: ShellContext,
    private readonly watched: Watched,
    private readonly rules: WatchRules,
    private readonly stop: AbortSignal,
  ) {
    this.#file = positionFile(shell.terminal, watched);
    this.#calls = new WatcherCalls(shell, watched, stop, rules.once_seconds === null);
  }

  async watch(): Promise<void> {
    const lock = await this.#lock();
    if (lock === null || !(await this.#begin())) return;
    const { rules } = this;
    for (let failed = 0; ;) {
      const batch = await this.#nextBatch();
      if (batch === null) return;
      const failure = await this.#cover(batch, lock);
      if (failure === null) {
        if (rules.once_seconds !== null || batch.closed) return;
        failed = 0;
      } else {
        this.stop.throwIfAborted();
        failed++;
        const [program] = rules.command;
        if (failed > rules.retries) {
          const times = failed === 1 ? "" : `, the last of ${failed} runs`;
          throw new Error(`${program} ${failure}${times}. The next start begins with what it was run for.`);
        }
        const seconds = Math.min(5 ** (failed - 1), retry_seconds_max);
        this.shell.note(`${program} ${failure}. It runs again in ${seconds} s.`);
        await this.#calls.pause(seconds);
      }
      this.stop.throwIfAborted();
    }
  }

  /** Locks the position, and waits until that is possible. Null: somebody else has the lock, and the rules allow no wait. */
  async #lock(): Promise<number | null> {
    for (let is_first = true; ; is_first = false) {
      const lock = lockPosition(this.#file);
      if (lock !== null) return lock;
      const busy = "Another watcher for the same, or a command that it started, is running.";
      if (this.rules.once_seconds !== null) {
        this.shell.note(busy);
        this.shell.terminal.setStatus(nothing_came_status);
        return null;
      }
      if (is_first) this.shell.note(`${busy} This one waits until that has ended.`);
      await this.#calls.pause(lock_retry_seconds);
    }
  }

  /** Reads the saved position, or makes the first one. Returns false if the room is closed already. */
  async #begin(): Promise<boolean> {
    const saved = readPosition(this.#file);
    if (saved) {
      this.#position = saved;
      await this.#acknowledge();
      return true;
    }
    const { cursors, closed } = await this.#calls.begin();
    if (closed) {
      this.shell.note("The room is closed: nothing follows.");
      return false;
    }
    // The mailbox begins at its first note: unread notes are new, and notes that were read are left out.
    this.#save({ cursors: { ...cursors, ...(cursors.mailbox !== undefined && { mailbox: 0 }) } });
    return true;
  }

  /** Waits for what a run has to cover. Null: the room is closed, which a run has covered, or nothing came in time. */
  async #nextBatch(): Promise<Batch | null> {
    const { once_seconds } = this.rules;
    const end_ms = systemClock.monotonic() + (once_seconds ?? Infinity) * 1000;
    let batch = emptyBatch(this.#position.cursors);
    for (;;) {
      const left_seconds = Math.max(Math.ceil((end_ms - systemClock.monotonic()) / 1000), 0);
      const wait_seconds = Math.min(left_seconds, call_wait_seconds_max);
      batch = await this.#calls.gather(batch, wait_seconds);
      const is_covered = batch.closed && this.#position.closed && batch.count === 1 && batch.quiet === 0;
      if (isNews(batch) && !is_covered) return this.#debounced(batch);
      const position = { cursors: batch.cursors };
      // Quiet posts wait for the next run: until then, the position stays before them.
      const stays_before = is_covered || batch.quiet > 0;
      if (!stays_before && !Bun.deepEquals(position, this.#position)) this.#save(position);
      if (!is_covered && left_seconds > 0) continue;
      if (once_seconds !== null) this.shell.terminal.setStatus(nothing_came_status);
      return null;
    }
  }

  async #debounced(batch: Batch): Promise<Batch> {
    const { debounce_seconds } = this.rules;
    if (debounce_seconds === 0 || batch.closed) return batch;
    await this.#calls.pause(debounce_seconds);
    return this.#calls.gather(batch, 0);
  }

  /** Runs the command. Saves the position after the batch if that ended with status 0; otherwise returns how it ended. */
  async #cover({ items, cursors, closed }: Batch, lock: number): Promise<string | null> {
    const { watched, shell, rules } = this;
    const input_file = `${this.#file}.input`;
    this.stop.throwIfAborted();
    this.run = startRun(
      { command: rules.command, terminal: shell.terminal, watched, input_file, lock },
      items,
    );
    const failure = await this.run.failure;
    this.run = null;
    if (failure !== null) return failure;
    this.#save({ cursors, ...(closed && { closed }) });
    const last_note = items.notes?.at(-1);
    // Before the acknowledgement: after it, the note may be folded into a later one without its own time.
    if (last_note) await this.#calls.reportReach(Number(last_note["seq"]));
    await this.#acknowledge();
    return null;
  }

  #save(position: Position): void {
    savePosition(this.#file, this.watched, position);
    this.#position = position;
  }

  /** Marks the notes before the position as read. A watcher that was killed before this does it at its next start. */
  async #acknowledge(): Promise<void> {
    const { mailbox = 0 } = this.#position.cursors;
    if (!this.rules.acknowledges || mailbox === 0) return;
    await this.#calls.acknowledge(mailbox);
  }
}
