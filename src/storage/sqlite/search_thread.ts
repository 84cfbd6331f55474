/** The main thread's side of the search thread: a bounded queue, one search at a time, a time limit for each. */

import { service_errors } from "../../core/general_errors.ts";
import type { Clock } from "../../core/clock.ts";
import { ServiceError } from "../../core/errors.ts";
import { storage_limits } from "../limits.ts";
import type { Log } from "../../core/log.ts";
import type { FromSearchThread, ToSearchThread } from "./search_loop.ts";
import { failureFromThread } from "./thread_failure.ts";

interface SearchThreadOptions {
  /** The database file. */
  file: string;
  /** Starts a worker that runs `serveSearches`. */
  start: () => Worker;
  /** Reserves what the worker needs, until the function that it returns is called. Throws if it cannot. */
  reserve?: (() => () => void) | undefined;
  clock: Clock;
  log: Log;
  /** Notified when a search finds the database damaged. */
  health: { noteDamage(damage: unknown): void };
}

interface PendingSearch {
  name: string;
  input: unknown;
  resolve(result: unknown): void;
  reject(error: unknown): void;
  cancelTimer(): void;
}

/**
 * How long the thread may take to close its connection. A running search ends earlier, by its own time limit. SQLite deletes
 * the log with its last connection, so a thread that only waits for a processor is worth waiting for.
 */
const closing_seconds_max = 10;

export class SearchThread {
  readonly #queue: PendingSearch[] = [];
  #running: PendingSearch | undefined;
  /** Started by the first search. */
  #worker: Worker | undefined;
  /** Whether the worker has started. The time limit of a search begins after that. */
  #is_ready = false;
  /** Terminated workers that still run: their SQLite statement cannot be interrupted. */
  #ending = 0;
  #closed: (() => void) | undefined;
  /** Releases what is reserved for the worker. */
  #release: () => void = () => {};

  constructor(private readonly options: SearchThreadOptions) {}

  /** Runs a search. Throws `search_busy`, `search_timeout`, `stopping`, or the ServiceError of the search. */
  search(name: string, input: unknown): Promise<unknown> {
    if (this.#closed) return Promise.reject(stopping());
    if (this.#queue.length >= storage_limits.searches_waiting_max) return Promise.reject(busy());
    return new Promise((resolve, reject) => {
      const pending: PendingSearch = { name, input, resolve, reject, cancelTimer() {} };
      pending.cancelTimer = this.options.clock.after(storage_limits.search_wait_seconds_max * 1000, () => {
        this.#queue.splice(this.#queue.indexOf(pending), 1);
        reject(busy());
      });
      this.#queue.push(pending);
      this.#next();
    });
  }

  /** Reserves what the worker needs until the first search: a thread that never searches would take 7 MB. */
  prepare(): void {
    if (this.#worker || this.#closed) return;
    try {
      this.#release = this.options.reserve?.() ?? this.#release;
    } catch (error) {
      this.options.log.warn("search.no_thread", { error: String(error) });
    }
  }

  /** Starts the next search, unless one is running. */
  #next(): void {
    if (this.#running || this.#queue.length === 0) return;
    if (!this.#worker && !this.#start()) return;
    if (!this.#is_ready) return;
    const search = this.#queue.shift()!;
    search.cancelTimer();
    this.#running = search;
    const { name, input } = search;
    this.#post({ file: this.options.file, name, input });
    search.cancelTimer = this.options.clock.after(storage_limits.search_seconds_max * 1000, () =>
      this.#timeOut(),
    );
  }

  #post(message: ToSearchThread): void {
    this.#worker!.postMessage(JSON.stringify(message));
  }

  /** Starts a worker. Returns false if too many terminated workers still run, or if no thread can be started. */
  #start(): boolean {
    if (this.#ending > storage_limits.search_threads_ending_max) return false;
    const worker = this.#startThread();
    if (!worker) return false;
    worker.onmessage = (event: MessageEvent<string>) => {
      if (this.#worker === worker) this.#receive(JSON.parse(event.data) as FromSearchThread);
    };
    const lose = (reason: string) => {
      if (this.#worker === worker) this.#lose(reason);
    };
    worker.onerror = (event) => lose(event.message);
    worker.addEventListener("close", () => lose("The search thread ended."));
    this.#worker = worker;
    this.#is_ready = false;
    return true;
  }

  #startThread(): Worker | null {
    this.#release();
    try {
      return this.options.start();
    } catch (error) {
      this.options.log.warn("search.no_thread", { error: String(error) });
      return null;
    }
  }

  #receive(message: FromSearchThread): void {
    if ("ready" in message) this.#is_ready = true;
    else if ("closed" in message) this.#closed?.();
    else if ("result" in message) this.#takeRunning()?.resolve(message.result);
    else {
      this.#takeRunning()?.reject(
        failureFromThread(message.failure, "A search failed unexpectedly.", this.options.health),
      );
    }
    this.#next();
  }

  /** Returns the running search and clears it and its timer. */
  #takeRunning(): PendingSearch | undefined {
    const search = this.#running;
    search?.cancelTimer();
    this.#running = undefined;
    return search;
  }

  /** Rejects the running search with `search_timeout` and terminates its worker. */
  #timeOut(): void {
    const worker = this.#worker!;
    this.#worker = undefined;
    this.#ending++;
    worker.addEventListener("close", () => {
      this.#ending--;
      this.#next();
    });
    worker.terminate();
    const search = this.#takeRunning()!;
    this.options.log.warn("search.timeout", { search: search.name, still_ending: this.#ending });
    search.reject(
      new ServiceError(
        service_errors.search_timeout,
        `The search took longer than ${storage_limits.search_seconds_max} seconds.`,
        {
          retry_after_seconds: storage_limits.search_seconds_max,
          hint: "Search for fewer words, or for rarer ones.",
        },
      ),
    );
    this.#closed?.();
    this.#next();
  }

  /** Handles a worker that broke. The next search starts another. */
  #lose(reason: string): void {
    this.options.log.error("search.thread_lost", { error: reason });
    this.#worker?.terminate();
    this.#worker = undefined;
    // If a worker cannot even start, do not start one for each waiting search.
    for (const { cancelTimer, reject } of this.#is_ready ? [] : this.#queue.splice(0)) {
      cancelTimer();
      reject(busy());
    }
    this.#takeRunning()?.reject(busy());
    this.#closed?.();
    this.#next();
  }

  /** Rejects the waiting searches, lets the running one end, and closes the worker's connection. */
  async close(): Promise<void> {
    this.#release();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#closed = resolve;
    for (const { cancelTimer, reject } of this.#queue.splice(0)) {
      cancelTimer();
      reject(stopping());
    }
    if (!this.#worker) return;
    this.#post({ close: true });
    const cancelTimer = this.options.clock.after(closing_seconds_max * 1000, resolve);
    await promise;
    cancelTimer();
    this.#takeRunning()?.reject(stopping());
    const worker = this.#worker;
    this.#worker = undefined;
    worker?.terminate();
  }
}

const busy = (): ServiceError =>
  new ServiceError(service_errors.search_busy, "Too many searches are waiting.", { retry_after_seconds: 1 });

const stopping = (): ServiceError => new ServiceError(service_errors.stopping, "The service is stopping.");
