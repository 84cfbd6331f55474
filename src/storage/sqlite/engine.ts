/** SQLite behind the storage port: a directory, one writer in a thread of its own, readers in this one. */

import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock, type Clock } from "../../core/clock.ts";
import { ServiceError } from "../../core/errors.ts";
import { limits } from "../../core/limits.ts";
import type { Log } from "../../core/log.ts";
import type * as port from "../../core/storage.ts";
import { checkDirectory, runningFile } from "./directory_check.ts";
import type { DiskLimits } from "./disk_budget.ts";
import { Health } from "./health.ts";
import { keepIdentity, type Identity } from "./identity.ts";
import { lockDirectory, lockFile } from "./lock.ts";
import { Readers } from "./readers.ts";
import { SearchThread } from "./search_thread.ts";
import type { FromThread, ToThread } from "./worker_loop.ts";
import { failureFromThread } from "./thread_failure.ts";
import type { GroupOutcome, WriteRequest, WriteState } from "./group_commit.ts";

export interface SqliteOptions {
  directory: string;
  /** Starts the writer's thread: a worker that runs `serveWrites` with the acts. */
  startWriter: () => Worker;
  /** Starts a thread that runs `serveCheck`, after an unclean stop. Without it the database is not checked. */
  startChecker?: () => Worker;
  /** What the directory may take of the disk; without it as much as there is. */
  disk?: DiskLimits;
  /** Starts the search thread: a worker that runs `serveSearches` with the searches. */
  startSearches: () => Worker;
  /** What the time limits of searches are measured by; the system's when left out. */
  clock?: Clock;
  log: Log;
}

/** How many groups may be with the writer: one that is being written, and the one that follows it without a pause. */
const groups_max = 2;

/** How long whoever asks how the storage is waits for the writer. */
const look_seconds_max = 2;
const late: WriteState = { code: "storage_busy", reason: "The writer has not answered." };

interface Waiting {
  request: WriteRequest;
  resolve(written: port.Written<unknown>): void;
  reject(error: unknown): void;
}

/**
 * Opens the database in `directory`, making both when they are not there (directory 0700, files 0600). Throws a
 * user-facing error, and leaves every file as it is, when the files there do not belong together.
 */
export async function openSqlite<A extends port.CommandMap, S extends port.Searches = port.Searches>(
  options: SqliteOptions,
): Promise<port.Storage<A, S>> {
  process.umask(0o077);
  const { directory } = options;
  // Where nobody can be running, look before even the lock's file is made; with the lock, nobody comes between.
  if (!existsSync(lockFile(directory))) checkDirectory(directory);
  const unlock = lockDirectory(directory);
  try {
    const found = checkDirectory(directory);
    const engine = new SqliteEngine<A, S>(options, unlock);
    const identity = await engine.start();
    if (found.identity === null) keepIdentity(directory, identity);
    writeFileSync(runningFile(directory), "A clean stop removes this file.\n");
    if (found.was_cut_short) engine.check();
    return engine;
  } catch (error) {
    unlock();
    throw error;
  }
}

class SqliteEngine<A extends port.CommandMap, S extends port.Searches> implements port.Storage<A, S> {
  readonly #file: string;
  readonly #options: SqliteOptions;
  readonly #unlock: () => void;
  readonly #readers: Readers;
  readonly #searches: SearchThread;
  readonly #listeners: ((subject: string | null) => void)[] = [];
  /** The writer's thread; none after it broke, until the next write. */
  #worker: Worker | undefined;
  #outgoing: Waiting[] = [];
  /** The groups that are with the writer, in the order in which it answers them. */
  #groups: Waiting[][] = [];
  /** How many writes the last two groups held. */
  #lately = 0;
  #last_group_size = 0;
  #is_gathering = false;
  readonly #health: Health;
  /** Resolves when the writer has said whether writes work; none while nobody asks. */
  #looking: (PromiseWithResolvers<void> & { cancel: () => void }) | undefined;
  #closed: (() => void) | undefined;

  constructor(options: SqliteOptions, unlock: () => void) {
    this.#options = options;
    this.#unlock = unlock;
    this.#file = join(options.directory, "wharf.db");
    this.#health = new Health(options.log);
    this.#readers = new Readers(this.#file, this.#health);
    const { startSearches: start, clock = systemClock, log } = options;
    this.#searches = new SearchThread({ file: this.#file, start, clock, log, health: this.#health });
  }

  /** Starts the writer; resolves to the database's identity when its schema is up to date. */
  start(): Promise<Identity> {
    return new Promise((resolve, reject) => {
      const worker = this.#options.startWriter();
      let has_opened = false;
      const lose = (reason: string) => {
        if (this.#worker !== worker) return;
        this.#loseWriter();
        reject(new Error(reason));
        if (has_opened) this.#options.log.error("storage.writer_lost", { error: reason });
      };
      worker.onmessage = (event: MessageEvent<string>) => {
        // What a thread that was given up has still said is about groups that are gone.
        if (this.#worker !== worker) return;
        const message = JSON.parse(event.data) as FromThread;
        if ("replies" in message) this.#groupDone(message);
        else if ("looked" in message) this.#looked(message.looked);
        else if ("is_disk_over" in message) this.#health.noteDisk(message.is_disk_over, message.use);
        else if ("is_log_held" in message) this.#health.noteLog(message.is_log_held, message.log_bytes);
        else if ("opened" in message) {
          has_opened = true;
          resolve(message.identity);
        } else if ("refused" in message) lose(message.refused);
        else if ("closed" in message) this.#closed?.();
        else this.#options.log.error("storage.chore_broke", { error: message.chore_broke });
      };
      worker.onerror = (event) => lose(event.message);
      worker.addEventListener("close", () => lose("The writer's thread ended."));
      this.#worker = worker;
      this.#tell({ open: this.#file, disk: this.#options.disk });
    });
  }

  #tell(message: ToThread): void {
    this.#worker?.postMessage(JSON.stringify(message));
  }

  write<N extends keyof A & string>(
    name: N,
    input: port.CommandInput<A, N>,
    once?: port.Once,
  ): Promise<port.Written<port.CommandResult<A, N>>> {
    if (this.#closed) return Promise.reject(new ServiceError("stopping", "The service is stopping."));
    if (this.#waiting() >= limits.writes_waiting_max) {
      return Promise.reject(
        new ServiceError("storage_busy", "Too many writes are waiting.", { retry_after_seconds: 1 }),
      );
    }
    return new Promise((resolve, reject) => {
      this.#outgoing.push({ request: { name, input, once }, resolve: resolve as Waiting["resolve"], reject });
      this.#sendSoon();
    });
  }

  /** How many writes have not been answered. */
  #waiting(): number {
    return this.#groups.reduce((count, group) => count + group.length, this.#outgoing.length);
  }

  /**
   * A group leaves as soon as it holds a third of what the last two held: so the writer mostly has one to write and one to
   * follow it, while the main thread serves the others, and whoever writes alone waits for nobody. Otherwise it leaves a
   * moment later: other writes are coming, and each group costs an fsync and takes a core from those who read.
   */
  #sendSoon(): void {
    if (this.#groups.length === groups_max) return;
    if (this.#outgoing.length * 3 >= this.#lately) queueMicrotask(() => this.#send());
    else if (!this.#is_gathering) {
      this.#is_gathering = true;
      // Real time, in tests too: what is waited for comes from sockets.
      systemClock.after(limits.write_gather_ms, () => {
        this.#is_gathering = false;
        this.#send();
      });
    }
  }

  /** Sends all that is outgoing, unless the writer has enough to do: so groups grow with the load. */
  #send(): void {
    if (this.#groups.length === groups_max) return;
    if (this.#outgoing.length === 0) {
      if (this.#closed && this.#groups.length === 0) this.#tell({ close: true });
      return;
    }
    if (!this.#worker) this.#restart();
    const group = this.#outgoing.splice(0, limits.write_group_max);
    this.#groups.push(group);
    this.#lately = this.#last_group_size + group.length;
    this.#last_group_size = group.length;
    this.#tell({ writes: group.map(({ request }) => request) });
  }

  #restart(): void {
    this.start().catch((error: unknown) => {
      this.#options.log.error("storage.no_writer", { error: String(error) });
      this.#loseWriter();
    });
  }

  #groupDone({ replies, changed, refused_because }: GroupOutcome): void {
    const group = this.#groups.shift()!;
    // The next group leaves before this one is answered, so that both threads work at the same time.
    if (this.#closed) this.#send();
    else if (this.#outgoing.length > 0) this.#sendSoon();
    this.#health.noteWrites(refused_because ?? null);
    for (const subject of changed) this.#announce(subject);
    for (const [i, reply] of replies.entries()) {
      if (reply.failure)
        group[i]!.reject(failureFromThread(reply.failure, "An act failed unexpectedly.", this.#health));
      else group[i]!.resolve(reply);
    }
  }

  read: port.Storage<A, S>["read"] = (query) => this.#readers.read(query);
  prepare = (): void => this.#searches.prepare();
  search: port.Storage<A, S>["search"] = (name, input) => this.#searches.search(name, input) as never;

  onChange(listener: (subject: string | null) => void): void {
    this.#listeners.push(listener);
  }

  /** Tells the listeners. One that breaks must keep neither the others from hearing nor a writer from its answer. */
  #announce(subject: string | null): void {
    for (const listener of this.#listeners) {
      try {
        listener(subject);
      } catch (error) {
        this.#options.log.error("storage.listener_broke", { error: String(error) });
      }
    }
  }

  /** Has the database looked through while the service runs. */
  check(): void {
    const worker = this.#options.startChecker?.();
    if (worker) this.#health.check(worker, this.#file);
  }

  /** A writer that does not answer in time waits for another process, as a write would. */
  async health(): Promise<Record<string, port.Check>> {
    if (!this.#looking) {
      const cancel = systemClock.after(look_seconds_max * 1000, () => this.#looked(late));
      this.#looking = { ...Promise.withResolvers(), cancel };
      if (!this.#worker) this.#restart();
      this.#tell({ look: true });
    }
    await this.#looking.promise;
    return this.#health.checks();
  }

  #looked(state: WriteState): void {
    if (!this.#looking) return;
    this.#health.noteWrites(state);
    this.#looking.cancel();
    this.#looking.resolve();
    this.#looking = undefined;
  }

  /** A thread that broke took its transaction with it: its writes are refused, and the next one starts another. */
  #loseWriter(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#looked({ code: "storage_failed", reason: "The writer is lost." });
    // Some of its writes may be durable although it did not come to say so.
    this.#announce(null);
    for (const { reject } of [...this.#groups.flat(), ...this.#outgoing]) {
      reject(
        new ServiceError("storage_failed", "The writer had to be restarted.", { retry_after_seconds: 1 }),
      );
    }
    this.#groups = [];
    this.#outgoing = [];
    this.#closed?.();
  }

  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#closed = resolve;
    this.#health.endCheck();
    // The writer's connection is the last to close: then SQLite moves the whole log into the one file.
    this.#readers.close();
    await this.#searches.close();
    if (this.#worker) this.#send();
    else resolve();
    await promise;
    const worker = this.#worker;
    this.#worker = undefined;
    worker?.terminate();
    if (worker && this.#health.is_sound) rmSync(runningFile(this.#options.directory), { force: true });
    this.#unlock();
  }
}
