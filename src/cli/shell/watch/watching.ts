/** The loop of a watcher: wait for news, run the command, save the position, and try again what failed. */

import { orThrow, WharfProblem } from "../../../client/client.ts";
import { systemClock } from "../../../core/clock.ts";
import { messageOf } from "../../../core/log.ts";
import { revealDeceptive } from "../../../core/text.ts";
import { nothing_came_status, type ShellContext } from "../shell_command.ts";
import { call_wait_seconds_max } from "../waiting.ts";
import { emptyBatch, gather, queryOf, type Batch, type FirstCursors, type ReadNews } from "./news.ts";
import {
  lockPosition,
  positionFile,
  readPosition,
  savePosition,
  type Position,
  type Watched,
} from "./position.ts";
import { startRun, type Run } from "./runs.ts";

export interface WatchRules {
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
/** The longest pause between two calls of a service that does not answer, and a call may take this much longer than its wait. */
const [reconnect_seconds_max, answer_seconds_max] = [30, 30];
/** How often a pause looks whether the watcher is stopped. */
const pause_step_ms = 200;

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
  #position: Position = { cursors: {} };

  constructor(
    private readonly shell: ShellContext,
    private readonly watched: Watched,
    private readonly rules: WatchRules,
    private readonly stop: AbortSignal,
  ) {
    this.#file = positionFile(shell.terminal, watched);
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
        this.#report(`${program} ${failure}. It runs again in ${seconds} s.`);
        await this.#pause(seconds);
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
        this.#report(busy);
        this.shell.terminal.setStatus(nothing_came_status);
        return null;
      }
      if (is_first) this.#report(`${busy} This one waits until that has ended.`);
      await this.#pause(pause_step_ms / 1000);
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
    const { key } = this.shell;
    const { target } = this.watched;
    const first: FirstCursors = {
      ...(typeof target === "object" && { rooms: { [target.room]: "now" } }),
      ...(target === "all" && { jobs: "now", new_rooms: "now" }),
      ...(typeof target === "string" && key !== undefined && { mailbox: "now" }),
    };
    const { cursors, closed } = await this.#answered(() => this.#read(first, 0));
    if (closed) {
      this.#report("The room is closed: nothing follows.");
      return false;
    }
    // What is unread in the mailbox is new: notes that were read are left out.
    this.#save({ cursors: { ...cursors, ...(cursors.mailbox !== undefined && { mailbox: 0 }) } });
    return true;
  }

  /** Waits for what a run has to cover. Null: the room is closed, which a run has covered, or nothing came in time. */
  async #nextBatch(): Promise<Batch | null> {
    const { once_seconds } = this.rules;
    const end_ms = systemClock.monotonic() + (once_seconds ?? Infinity) * 1000;
    for (;;) {
      const left_seconds = Math.max(Math.ceil((end_ms - systemClock.monotonic()) / 1000), 0);
      const wait_seconds = Math.min(left_seconds, call_wait_seconds_max);
      const batch = await this.#answered(() =>
        gather(this.#read, emptyBatch(this.#position.cursors), wait_seconds),
      );
      const is_covered = batch.closed && this.#position.closed && batch.count === 1;
      if (batch.count > 0 && !is_covered) return this.#debounced(batch);
      if (is_covered) return null;
      const position = { cursors: batch.cursors };
      if (!Bun.deepEquals(position, this.#position)) this.#save(position);
      if (left_seconds > 0) continue;
      this.shell.terminal.setStatus(nothing_came_status);
      return null;
    }
  }

  async #debounced(batch: Batch): Promise<Batch> {
    const { debounce_seconds } = this.rules;
    if (debounce_seconds === 0 || batch.closed) return batch;
    await this.#pause(debounce_seconds);
    return this.#answered(() => gather(this.#read, batch, 0));
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
    await this.#answered(() =>
      orThrow(this.shell.client.post("/api/mailbox/ack", { body: { through: mailbox } })),
    );
  }

  readonly #read: ReadNews = (cursors, wait_seconds) => {
    const { client, key } = this.shell;
    const own = key === undefined ? { not_by: this.watched.name } : {};
    const signal = AbortSignal.any([
      this.stop,
      AbortSignal.timeout((wait_seconds + answer_seconds_max) * 1000),
    ]);
    return orThrow(client.get("/api/wait", { query: { ...queryOf(cursors), ...own, wait_seconds }, signal }));
  };

  /** The answer of the service. Calls again until it answers, unless it refuses the call, or the rules allow no wait. */
  async #answered<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    for (let attempt = 0; ; attempt++) {
      try {
        const answer = await call();
        if (attempt > 0) this.#report(`${this.watched.url} answers again.`);
        return answer;
      } catch (error) {
        this.stop.throwIfAborted();
        const is_refused = error instanceof WharfProblem && !error.problem.retryable;
        if (is_refused || this.rules.once_seconds !== null) throw error;
        const { url } = this.watched;
        if (attempt === 0)
          this.#report(`${url} does not answer, and is called until it does: ${messageOf(error)}`);
        await this.#pause(Math.min(2 ** attempt, reconnect_seconds_max));
      }
    }
  }

  /** A line on standard error, in which nothing controls the terminal. */
  #report(text: string): void {
    this.shell.terminal.writeError(`wharf: ${revealDeceptive(text)}\n`);
  }

  /** Throws if the watcher is stopped meanwhile. */
  async #pause(seconds: number): Promise<void> {
    const end_ms = systemClock.monotonic() + seconds * 1000;
    for (let left_ms = seconds * 1000; left_ms > 0; left_ms = end_ms - systemClock.monotonic()) {
      this.stop.throwIfAborted();
      await Bun.sleep(Math.min(left_ms, pause_step_ms));
    }
    this.stop.throwIfAborted();
  }
}
