/** Reads, one after another on one connection: each sees one snapshot of what is durable. */

import { AsyncLocalStorage } from "node:async_hooks";
import { systemClock, type Clock } from "../../core/clock.ts";
import { isFailure, ServiceError } from "../../core/errors.ts";
import { limits } from "../../core/limits.ts";
import type { Tx } from "../../core/storage.ts";
import { Connection, storageFailure } from "./connection.ts";

/** A read whose query is running. */
interface Reading {
  tx: Tx;
  is_open: boolean;
  /** It went on for too long and has lost its connection. */
  is_ended?: boolean;
}

/** What the reads let others know. */
export interface ReadEvents {
  /** A read has found the database damaged. */
  noteDamage(error: unknown): void;
  /** A read was ended because it went on for too long. */
  noteLongRead(): void;
}

/**
 * Reads wait in a queue and are never refused. A second connection would gain nothing: SQLite runs on this thread, and a
 * query ends within the turn in which it begins.
 */
export class Readers {
  readonly #file: string;
  readonly #events: ReadEvents;
  readonly #clock: Clock;
  /** The read that has the connection. */
  #reading: Reading | undefined;
  #cancelWatch = () => {};
  readonly #current = new AsyncLocalStorage<Reading>();
  #connection: Connection | undefined;
  readonly #queue: PromiseWithResolvers<void>[] = [];
  #is_busy = false;
  /** The connection's `steps` when the queue last gave way to the rest of the event loop. */
  #steps_before = 0;
  #closed = false;

  constructor(
    file: string,
    events: ReadEvents = { noteDamage() {}, noteLongRead() {} },
    clock = systemClock,
  ) {
    this.#file = file;
    this.#events = events;
    this.#clock = clock;
    this.#watch(undefined, 0);
  }

  /**
   * Runs `query` in a read transaction. The query awaits nothing but its handle. A read inside a query uses the same
   * transaction: in the queue it would wait for itself. Throws `stopping` if the read cannot begin any more, and
   * `storage_busy` from a query that goes on for too long.
   */
  async read<Result>(query: (tx: Tx) => Promise<Result>): Promise<Result> {
    const outer = this.#current.getStore();
    if (outer?.is_open) return query(outer.tx);
    if (this.#is_busy) await this.#wait();
    this.#is_busy = true;
    let reading: Reading | undefined;
    try {
      const connection = this.#open();
      connection.control("BEGIN");
      reading = this.#reading = { tx: connection, is_open: true };
      return await this.#current.run(reading, query, connection);
    } catch (error) {
      if (reading?.is_ended) throw too_long;
      const known = storageFailure(error);
      if (isFailure(known, "storage_corrupt")) this.#events.noteDamage(error);
      throw known;
    } finally {
      if (reading) reading.is_open = false;
      if (!reading?.is_ended) {
        this.#reading = undefined;
        this.#end();
        this.#next();
      }
    }
  }

  /**
   * Looks now and then whether the same read still has the connection, `looks` after it was first seen. One that awaits
   * anything but its handle would keep the log from being reset, and all others waiting.
   */
  #watch(seen: Reading | undefined, looks: number): void {
    this.#cancelWatch = this.#clock.after((limits.read_seconds_max * 1000) / looks_at_a_read, () => {
      const same_looks = this.#reading && this.#reading === seen ? looks + 1 : 0;
      if (same_looks === looks_at_a_read) this.#endLongRead();
      this.#watch(this.#reading, same_looks);
    });
  }

  /** Takes the connection from a read: its next statement fails. */
  #endLongRead(): void {
    this.#reading!.is_ended = true;
    this.#reading!.is_open = false;
    this.#reading = undefined;
    this.#connection?.close();
    this.#connection = undefined;
    this.#steps_before = 0;
    this.#events.noteLongRead();
    this.#next();
  }

  #wait(): Promise<void> {
    const place = Promise.withResolvers<void>();
    this.#queue.push(place);
    return place.promise;
  }

  #open(): Connection {
    if (this.#closed) throw stopping();
    // Pages are read, not mapped: a disk that fails under a mapped page would end the process.
    this.#connection ??= new Connection(this.#file, { readonly: true, busy_ms: 0 });
    return this.#connection;
  }

  /** Ends the transaction. A connection that cannot end it is closed: the next read opens another. */
  #end(): void {
    const connection = this.#connection;
    if (!connection) return;
    try {
      if (connection.database.inTransaction) connection.control("COMMIT");
      if (!this.#closed) return;
    } catch {
      // Closed below, with whatever it still had.
    }
    this.#connection = undefined;
    this.#steps_before = 0;
    connection.close();
  }

  /** Lets the next read begin: at once, or in the next turn of the event loop if this turn has done enough of them. */
  #next(): void {
    const steps = this.#connection?.steps ?? 0;
    const next = this.#queue.shift();
    if (!next) {
      this.#is_busy = false;
      this.#steps_before = steps;
    } else if (steps - this.#steps_before < limits.read_steps_per_turn) next.resolve();
    else {
      this.#steps_before = steps;
      void systemClock.turn().then(next.resolve);
    }
  }

  /** Closes the connection, or lets the read that runs end first. Reads that wait and later ones are refused. */
  close(): void {
    this.#closed = true;
    this.#cancelWatch();
    for (const { reject } of this.#queue.splice(0)) reject(stopping());
    if (this.#is_busy) return;
    this.#connection?.close();
    this.#connection = undefined;
  }
}

/** Looks between the first one that sees a read and the one that ends it. */
const looks_at_a_read = 2;

const too_long = new ServiceError(
  "storage_busy",
  `The read was ended: it took more than ${limits.read_seconds_max} seconds.`,
  { retry_after_seconds: 1 },
);

const stopping = (): ServiceError => new ServiceError("stopping", "The service is stopping.");
