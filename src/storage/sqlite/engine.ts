/** The SQLite implementation of the storage port: one writer thread, one search thread, reads on the main thread. */

import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { service_errors } from "../../core/service_errors.ts";
import { systemClock, type Clock } from "../../core/clock.ts";
import { ServiceError } from "../../core/errors.ts";
import { storage_limits } from "../limits.ts";
import type { Log } from "../../core/log.ts";
import type * as port from "../../core/storage.ts";
import { checkDirectory, runningFile } from "./directory_check.ts";
import type { DiskLimits } from "./disk_budget.ts";
import { Health } from "./health.ts";
import { writeIdentityFile, type Identity } from "./identity.ts";
import { lockDirectory, lockFile } from "./lock.ts";
import { Readers } from "./readers.ts";
import { SearchThread } from "./search_thread.ts";
import type { FromWriter, ToWriter } from "./worker_loop.ts";
import { failureFromThread } from "./thread_failure.ts";
import type { GroupOutcome, WriteRequest, WriteState } from "./group_commit.ts";

export interface SqliteOptions {
  directory: string;
  /** Starts a worker that runs `serveWrites` with the commands. */
  startWriter: () => Worker;
  /** Starts a worker that runs `serveCheck`, after an unclean stop. If absent, the database is not checked. */
  startChecker?: () => Worker;
  /** The disk budget of the directory; unlimited if absent. */
  disk?: DiskLimits;
  /** Starts a worker that runs `serveSearches` with the searches. */
  startSearches: () => Worker;
  /** The clock that times searches; the system's by default. */
  clock?: Clock;
  log: Log;
}

/** Most groups sent to the writer and not answered: one in progress, and one to start without a pause. */
const groups_max = 2;

/** How long `health` waits for the writer. */
const health_seconds_max = 2;
const { stopping, storage_busy, storage_failed } = service_errors;
const late: WriteState = { code: storage_busy.code, reason: "The writer has not answered." };

interface Pending {
  request: WriteRequest;
  resolve(written: port.Written<unknown>): void;
  reject(error: unknown): void;
}

/**
 * Opens the database in `directory`; creates both if absent (directory 0700, files 0600). Throws a user-facing error, and
 * changes no file, if the files do not belong together.
 */
export async function openSqlite<A extends port.CommandMap, S extends port.Searches = port.Searches>(
  options: SqliteOptions,
): Promise<port.Storage<A, S>> {
  process.umask(0o077);
  const { directory } = options;
  // Without a lock file no service can be running: check before creating even that file. Check again under the lock.
  if (!existsSync(lockFile(directory))) checkDirectory(directory);
  const unlock = lockDirectory(directory);
  try {
    const found = checkDirectory(directory);
    const engine = new SqliteEngine<A, S>(options, unlock);
    const identity = await engine.start();
    if (found.identity === null) writeIdentityFile(directory, identity);
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
  readonly #listeners: ((topic: string | null) => void)[] = [];
  /** The writer thread; undefined after it broke, until the next write. */
  #worker: Worker | undefined;
  #outgoing: Pending[] = [];
  /** The groups sent to the writer and not answered, in the order of the answers. */
  #groups: Pending[][] = [];
  /** Number of writes in the last two groups. */
  #recent_writes = 0;
  #last_group_size = 0;
  #is_gathering = false;
  readonly #health: Health;
  /** Resolves when the writer has reported whether writes work; undefined while no `health` call waits. */
  #probing: (PromiseWithResolvers<void> & { cancel: () => void }) | undefined;
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

  /** Starts the writer thread. Resolves to the identity of the database once its schema is up to date. */
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
        // Ignore late messages from a worker that we have abandoned.
        if (this.#worker !== worker) return;
        const message = JSON.parse(event.data) as FromWriter;
        if ("replies" in message) this.#groupDone(message);
        else if ("probed" in message) this.#probed(message.probed);
        else if ("is_disk_over" in message) this.#health.noteDisk(message.is_disk_over, message.use);
        else if ("is_log_held" in message) this.#health.noteLog(message.is_log_held, message.log_bytes);
        else if ("opened" in message) {
          has_opened = true;
          resolve(message.identity);
        } else if ("refused" in message) lose(message.refused);
        else if ("closed" in message) this.#closed?.();
        else this.#options.log.error("storage.chore_broke", { error: message.chore_error });
      };
      worker.onerror = (event) => lose(event.message);
      worker.addEventListener("close", () => lose("The writer's thread ended."));
      this.#worker = worker;
      this.#post({ open: this.#file, disk: this.#options.disk });
    });
  }

  #post(message: ToWriter): void {
    this.#worker?.postMessage(JSON.stringify(message));
  }

  write<N extends keyof A & string>(
    name: N,
    input: port.CommandInput<A, N>,
    call?: port.IdempotentCall,
  ): Promise<port.Written<port.CommandResult<A, N>>> {
    if (this.#closed) return Promise.reject(new ServiceError(stopping, "The service is stopping."));
    if (this.#pendingCount() >= storage_limits.writes_waiting_max) {
      return Promise.reject(
        new ServiceError(storage_busy, "Too many writes are waiting.", { retry_after_seconds: 1 }),
      );
    }
    return new Promise((resolve, reject) => {
      this.#outgoing.push({ request: { name, input, call }, resolve: resolve as Pending["resolve"], reject });
      this.#sendSoon();
    });
  }

  /** Number of writes that are not answered yet. */
  #pendingCount(): number {
    return this.#groups.reduce((count, group) => count + group.length, this.#outgoing.length);
  }

  /**
   * Schedules a send: at once if the outgoing group has a third of the writes of the last two groups, else after
   * `write_gather_ms`. Under load the writer then mostly has two groups, and a lone write does not wait. Small groups wait
   * because more writes are coming, and each group costs an fsync and CPU time that reads need.
   */
  #sendSoon(): void {
    if (this.#groups.length === groups_max) return;
    if (this.#outgoing.length * 3 >= this.#recent_writes) queueMicrotask(() => this.#send());
    else if (!this.#is_gathering) {
      this.#is_gathering = true;
      // Real time, in tests too: the other writes come from sockets.
      systemClock.after(storage_limits.write_gather_ms, () => {
        this.#is_gathering = false;
        this.#send();
      });
    }
  }

  /** Sends the outgoing writes as one group, unless the writer has two already: groups grow with the load. */
  #send(): void {
    if (this.#groups.length === groups_max) return;
    if (this.#outgoing.length === 0) {
      if (this.#closed && this.#groups.length === 0) this.#post({ close: true });
      return;
    }
    if (!this.#worker) this.#restart();
    const group = this.#outgoing.splice(0, storage_limits.write_group_max);
    this.#groups.push(group);
    this.#recent_writes = this.#last_group_size + group.length;
    this.#last_group_size = group.length;
    this.#post({ writes: group.map(({ request }) => request) });
  }

  #restart(): void {
    this.start().catch((error: unknown) => {
      this.#options.log.error("storage.no_writer", { error: String(error) });
      this.#loseWriter();
    });
  }

  #groupDone({ replies, changed, refused_because }: GroupOutcome): void {
    const group = this.#groups.shift()!;
    // Send the next group before answering this one, so that both threads work at the same time.
    if (this.#closed) this.#send();
    else if (this.#outgoing.length > 0) this.#sendSoon();
    this.#health.noteWrites(refused_because ?? null);
    for (const topic of changed) this.#announce(topic);
    for (const [i, reply] of replies.entries()) {
      if (reply.failure)
        group[i]!.reject(failureFromThread(reply.failure, "A command failed unexpectedly.", this.#health));
      else group[i]!.resolve(reply);
    }
  }

  read: port.Storage<A, S>["read"] = (query) => this.#readers.read(query);
  prepare = (): void => this.#searches.prepare();
  search: port.Storage<A, S>["search"] = (name, input) => this.#searches.search(name, input) as never;

  onChange(listener: (topic: string | null) => void): void {
    this.#listeners.push(listener);
  }

  /** Calls the listeners. An error in one must not stop the others or the answer of the write. */
  #announce(topic: string | null): void {
    for (const listener of this.#listeners) {
      try {
        listener(topic);
      } catch (error) {
        this.#options.log.error("storage.listener_broke", { error: String(error) });
      }
    }
  }

  /** Starts a check of the whole database in a thread of its own. */
  check(): void {
    const worker = this.#options.startChecker?.();
    if (worker) this.#health.check(worker, this.#file);
  }

  /** Reports `storage_busy` if the writer does not answer in time: another process holds the database. */
  async health(): Promise<Record<string, port.Check>> {
    if (!this.#probing) {
      const cancel = systemClock.after(health_seconds_max * 1000, () => this.#probed(late));
      this.#probing = { ...Promise.withResolvers(), cancel };
      if (!this.#worker) this.#restart();
      this.#post({ probe: true });
    }
    await this.#probing.promise;
    return this.#health.checks();
  }

  #probed(state: WriteState): void {
    if (!this.#probing) return;
    this.#health.noteWrites(state);
    this.#probing.cancel();
    this.#probing.resolve();
    this.#probing = undefined;
  }

  /** Rejects all pending writes after the writer thread broke. The next write starts another thread. */
  #loseWriter(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#probed({ code: storage_failed.code, reason: "The writer is lost." });
    // Some of its writes may be durable although it has not answered them.
    this.#announce(null);
    for (const { reject } of [...this.#groups.flat(), ...this.#outgoing]) {
      reject(new ServiceError(storage_failed, "The writer had to be restarted.", { retry_after_seconds: 1 }));
    }
    this.#groups = [];
    this.#outgoing = [];
    this.#closed?.();
  }

  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#closed = resolve;
    this.#health.endCheck();
    // The writer's connection closes last: SQLite then copies the whole log into the database and deletes it.
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
