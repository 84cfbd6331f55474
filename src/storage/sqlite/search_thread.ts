/** The search thread as the main thread sees it: a bounded queue, one search at a time, each with a time limit. */

import type { Clock } from "../../core/clock.ts";
import { ServiceError } from "../../core/errors.ts";
import { limits } from "../../core/limits.ts";
import type { Log } from "../../core/log.ts";
import type { FromSearches, ToSearches } from "./search_loop.ts";
import { failureFromThread } from "./thread_failure.ts";

export interface SearchThreadOptions {
  /** The database file. */
  file: string;
  /** Starts a worker that runs `serveSearches`. */
  start: () => Worker;
  clock: Clock;
  log: Log;
  /** Takes in that a search has found the database damaged. */
  health: { noteDamage(damage: unknown): void };
}

interface Waiting {
  name: string;
  input: unknown;
  resolve(result: unknown): void;
  reject(error: unknown): void;
  cancelTimer(): void;
}

/** How long a search that runs may keep the storage from closing. */
const closing_seconds_max = 2;

export class SearchThread {
  readonly #options: SearchThreadOptions;
  readonly #queue: Waiting[] = [];
  #running: Waiting | undefined;
  /** Started with the first search, or before. */
  #worker: Worker | undefined;
  /** Whether the worker has started, so that the time of a search counts. */
  #is_ready = false;
  /** Workers that were ended and still run: SQLite cannot be interrupted. */
  #ending = 0;
  #closed: (() => void) | undefined;

  constructor(options: SearchThreadOptions) {
    this.#options = options;
  }

  /** Runs a search. Throws its ServiceError, `search_busy`, `search_timeout` or `stopping`. */
  search(name: string, input: unknown): Promise<unknown> {
    if (this.#closed) return Promise.reject(stopping());
    if (this.#queue.length >= limits.searches_waiting_max) return Promise.reject(busy());
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { name, input, resolve, reject, cancelTimer() {} };
      waiting.cancelTimer = this.#options.clock.after(limits.search_wait_seconds_max * 1000, () => {
        this.#queue.splice(this.#queue.indexOf(waiting), 1);
        reject(busy());
      });
      this.#queue.push(waiting);
      this.#next();
    });
  }

  /** Starts the worker and has it open the database, before there is a search. */
  prepare(): void {
    if (this.#worker || this.#closed || !this.#start()) return;
    this.#tell({ open: this.#options.file });
  }

  /** Begins the next search, unless one runs. */
  #next(): void {
    if (this.#running || this.#queue.length === 0) return;
    if (!this.#worker && !this.#start()) return;
    if (!this.#is_ready) return;
    const search = this.#queue.shift()!;
    search.cancelTimer();
    this.#running = search;
    const { name, input } = search;
    this.#tell({ file: this.#options.file, name, input });
    search.cancelTimer = this.#options.clock.after(limits.search_seconds_max * 1000, () => this.#giveUp());
  }

  #tell(message: ToSearches): void {
    this.#worker!.postMessage(JSON.stringify(message));
  }

  /** Starts a worker; false while too many that were ended still run, or no thread can be started. */
  #start(): boolean {
    if (this.#ending > limits.search_threads_ending_max) return false;
    const worker = this.#startThread();
    if (!worker) return false;
    worker.onmessage = (event: MessageEvent<string>) => {
      if (this.#worker === worker) this.#hear(JSON.parse(event.data) as FromSearches);
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
    try {
      return this.#options.start();
    } catch (error) {
      this.#options.log.warn("search.no_thread", { error: String(error) });
      return null;
    }
  }

  #hear(message: FromSearches): void {
    if ("ready" in message) this.#is_ready = true;
    else if ("closed" in message) this.#closed?.();
    else if ("result" in message) this.#done()?.resolve(message.result);
    else {
      this.#done()?.reject(
        failureFromThread(message.failure, "A search failed unexpectedly.", this.#options.health),
      );
    }
    this.#next();
  }

  /** Takes the search that runs away from its worker. */
  #done(): Waiting | undefined {
    const search = this.#running;
    search?.cancelTimer();
    this.#running = undefined;
    return search;
  }

  /** The time of the search that runs is up: ends its worker. */
  #giveUp(): void {
    const worker = this.#worker!;
    this.#worker = undefined;
    this.#ending++;
    worker.addEventListener("close", () => {
      this.#ending--;
      this.#next();
    });
    worker.terminate();
    const search = this.#done()!;
    this.#options.log.warn("search.timeout", { search: search.name, still_ending: this.#ending });
    search.reject(
      new ServiceError(
        "search_timeout",
        `The search took longer than ${limits.search_seconds_max} seconds.`,
        {
          retry_after_seconds: limits.search_seconds_max,
          hint: "Search for fewer words, or for rarer ones.",
        },
      ),
    );
    this.#next();
  }

  /** The worker broke. The next search starts another. */
  #lose(reason: string): void {
    this.#options.log.error("search.thread_lost", { error: reason });
    this.#worker?.terminate();
    this.#worker = undefined;
    // A worker that cannot even start must not be started for each search that waits.
    for (const { cancelTimer, reject } of this.#is_ready ? [] : this.#queue.splice(0)) {
      cancelTimer();
      reject(busy());
    }
    this.#done()?.reject(busy());
    this.#closed?.();
    this.#next();
  }

  /** Refuses the searches that wait, lets the one that runs end, and closes the worker's connection. */
  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#closed = resolve;
    for (const { cancelTimer, reject } of this.#queue.splice(0)) {
      cancelTimer();
      reject(stopping());
    }
    if (!this.#worker) return;
    this.#tell({ close: true });
    const cancelTimer = this.#options.clock.after(closing_seconds_max * 1000, resolve);
    await promise;
    cancelTimer();
    this.#done()?.reject(stopping());
    const worker = this.#worker;
    this.#worker = undefined;
    worker?.terminate();
  }
}

const busy = (): ServiceError =>
  new ServiceError("search_busy", "Too many searches are waiting.", { retry_after_seconds: 1 });

const stopping = (): ServiceError => new ServiceError("stopping", "The service is stopping.");
