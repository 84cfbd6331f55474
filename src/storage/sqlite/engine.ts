/** SQLite behind the storage port: a directory, one writer in a thread of its own, readers in this one. */

import { join } from "node:path";
import { systemClock } from "../../clock.ts";
import { ServiceError } from "../../errors.ts";
import { limits } from "../../limits.ts";
import type { Log } from "../../log.ts";
import type { ActInput, ActResult, Acts, Once, Storage, Tx, Written } from "../port.ts";
import { lockDirectory } from "./lock.ts";
import { Readers } from "./readers.ts";
import type { FromThread, ToThread } from "./thread.ts";
import type { GroupOutcome, PlainFailure, WriteRequest } from "./writer.ts";

export interface SqliteOptions {
  directory: string;
  /** Starts the writer's thread: a worker that runs `serveWrites` with the acts. */
  startWriter: () => Worker;
  log: Log;
}

interface Waiting {
  resolve(written: Written<unknown>): void;
  reject(error: unknown): void;
}

/** Opens the database in `directory`, making both when they are not there (directory 0700, files 0600). */
export async function openSqlite<A extends Acts>(options: SqliteOptions): Promise<Storage<A>> {
  process.umask(0o077);
  const unlock = lockDirectory(options.directory);
  const engine = new SqliteEngine<A>(options, unlock);
  try {
    await engine.start();
    return engine;
  } catch (error) {
    unlock();
    throw error;
  }
}

class SqliteEngine<A extends Acts> implements Storage<A> {
  readonly #file: string;
  readonly #options: SqliteOptions;
  readonly #unlock: () => void;
  readonly #readers: Readers;
  readonly #listeners: ((subject: string | null) => void)[] = [];
  readonly #waiting = new Map<number, Waiting>();
  /** The writer's thread; none after it broke, until the next write. */
  #worker: Worker | undefined;
  #outgoing: WriteRequest[] = [];
  #group_under_way = false;
  /** How many writes the last two groups held. */
  #lately = 0;
  #last_group_size = 0;
  #is_gathering = false;
  #last_id = 0;
  #is_failing = false;
  #closed: (() => void) | undefined;

  constructor(options: SqliteOptions, unlock: () => void) {
    this.#options = options;
    this.#unlock = unlock;
    this.#file = join(options.directory, "wharf.db");
    this.#readers = new Readers(this.#file);
  }

  /** Starts the writer; resolves when the schema is up to date. */
  start(): Promise<void> {
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
        const message = JSON.parse(event.data) as FromThread;
        if ("replies" in message) this.#groupDone(message);
        else if ("opened" in message) {
          has_opened = true;
          resolve();
        } else if ("refused" in message) lose(message.refused);
        else if ("closed" in message) this.#closed?.();
        else this.#options.log.error("storage.chore_broke", { error: message.chore_broke });
      };
      worker.onerror = (event) => lose(event.message);
      worker.addEventListener("close", () => lose("The writer's thread ended."));
      this.#worker = worker;
      this.#tell({ open: this.#file });
    });
  }

  #tell(message: ToThread): void {
    this.#worker?.postMessage(JSON.stringify(message));
  }

  write<N extends keyof A & string>(
    name: N,
    input: ActInput<A, N>,
    once?: Once,
  ): Promise<Written<ActResult<A, N>>> {
    if (this.#closed) return Promise.reject(new ServiceError("stopping", "The service is stopping."));
    if (this.#waiting.size >= limits.writes_waiting_max) {
      return Promise.reject(
        new ServiceError("storage_busy", "Too many writes are waiting.", { retry_after_seconds: 1 }),
      );
    }
    return new Promise((resolve, reject) => {
      const id = ++this.#last_id;
      this.#waiting.set(id, { resolve: resolve as Waiting["resolve"], reject });
      this.#outgoing.push({ id, name, input, once });
      this.#sendSoon();
    });
  }

  /**
   * A group leaves as soon as half of those who wrote lately have come again: the writer has one half while the main
   * thread serves the other. Whoever writes alone so waits for nobody. Otherwise it leaves a moment later: other writes are
   * coming, and each group costs an fsync and takes a core from those who read.
   */
  #sendSoon(): void {
    if (this.#group_under_way) return;
    if (this.#outgoing.length * 2 >= this.#lately) queueMicrotask(() => this.#send());
    else if (!this.#is_gathering) {
      this.#is_gathering = true;
      // Real time, in tests too: what is waited for comes from sockets.
      systemClock.after(limits.write_gather_ms, () => {
        this.#is_gathering = false;
        this.#send();
      });
    }
  }

  /** One group is with the writer at a time; what arrives meanwhile is the next one. So groups grow with the load. */
  #send(): void {
    if (this.#group_under_way) return;
    if (this.#outgoing.length === 0) {
      if (this.#closed) this.#tell({ close: true });
      return;
    }
    if (!this.#worker) this.#restart();
    this.#group_under_way = true;
    const writes = this.#outgoing.splice(0, limits.write_group_max);
    this.#lately = this.#last_group_size + writes.length;
    this.#last_group_size = writes.length;
    this.#tell({ writes });
  }

  #restart(): void {
    this.start().catch((error: unknown) => {
      this.#options.log.error("storage.no_writer", { error: String(error) });
      this.#loseWriter();
    });
  }

  #groupDone({ replies, changed, refused_because }: GroupOutcome): void {
    // The next group leaves before this one is answered, so that both threads work at the same time.
    this.#group_under_way = false;
    if (this.#closed) this.#send();
    else if (this.#outgoing.length > 0) this.#sendSoon();
    this.#noteHealth(refused_because);
    for (const subject of changed) this.#announce(subject);
    for (const reply of replies) {
      const waiting = this.#waiting.get(reply.id);
      this.#waiting.delete(reply.id);
      if (reply.written) waiting?.resolve(reply.written);
      else waiting?.reject(failureFromThread(reply.failure));
    }
  }

  read<Result>(query: (tx: Tx) => Promise<Result>): Promise<Result> {
    return this.#readers.read(query);
  }

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

  /** Logs when the storage begins to refuse writes, and when it takes them again. */
  #noteHealth(refused_because: string | undefined): void {
    const is_failing = refused_because !== undefined;
    if (is_failing && !this.#is_failing)
      this.#options.log.error("storage.failing", { error: refused_because });
    if (!is_failing && this.#is_failing) this.#options.log.info("storage.recovered");
    this.#is_failing = is_failing;
  }

  /** A thread that broke took its transaction with it: its writes are refused, and the next one starts another. */
  #loseWriter(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    // Some of its writes may be durable although it did not come to say so.
    this.#announce(null);
    for (const { reject } of this.#waiting.values()) {
      reject(
        new ServiceError("storage_failed", "The writer had to be restarted.", { retry_after_seconds: 1 }),
      );
    }
    this.#waiting.clear();
    this.#outgoing = [];
    this.#group_under_way = false;
    this.#closed?.();
  }

  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#closed = resolve;
    // The writer's connection is the last to close: then SQLite moves the whole log into the one file.
    this.#readers.close();
    if (this.#worker) this.#send();
    else resolve();
    await promise;
    const worker = this.#worker;
    this.#worker = undefined;
    worker?.terminate();
    this.#unlock();
  }
}

function failureFromThread(failure: PlainFailure): Error {
  if (failure.code) return new ServiceError(failure.code, failure.detail, failure.extra);
  const error = new Error("An act failed unexpectedly.");
  error.stack = failure.detail;
  return error;
}
