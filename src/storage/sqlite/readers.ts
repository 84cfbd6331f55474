/** Reads, one after another on one connection: each sees one snapshot of what is durable. */

import { AsyncLocalStorage } from "node:async_hooks";
import { systemClock } from "../../clock.ts";
import { isFailure, ServiceError } from "../../errors.ts";
import { limits } from "../../limits.ts";
import type { Tx } from "../port.ts";
import { Connection, storageFailure } from "./connection.ts";

/** A read whose query is running. */
interface Reading {
  tx: Tx;
  is_open: boolean;
}

/**
 * Reads wait in a queue and are never refused. A second connection would gain nothing: SQLite runs on this thread, and a
 * query ends within the turn in which it begins.
 */
export class Readers {
  readonly #file: string;
  readonly #onDamage: (error: unknown) => void;
  readonly #current = new AsyncLocalStorage<Reading>();
  #connection: Connection | undefined;
  readonly #queue: PromiseWithResolvers<void>[] = [];
  #is_busy = false;
  /** The connection's `steps` when the queue last gave way to the rest of the event loop. */
  #steps_before = 0;
  #closed = false;

  /** `onDamage` is called with the error of a read that finds the database damaged. */
  constructor(file: string, onDamage: (error: unknown) => void = () => {}) {
    this.#file = file;
    this.#onDamage = onDamage;
  }

  /**
   * Runs `query` in a read transaction. The query awaits nothing but its handle. A read inside a query uses the same
   * transaction: in the queue it would wait for itself. Throws `stopping` if the read cannot begin any more.
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
      reading = { tx: connection, is_open: true };
      return await this.#current.run(reading, query, connection);
    } catch (error) {
      const known = storageFailure(error);
      if (isFailure(known, "storage_corrupt")) this.#onDamage(error);
      throw known;
    } finally {
      if (reading) reading.is_open = false;
      this.#end();
      this.#next();
    }
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
    for (const { reject } of this.#queue.splice(0)) reject(stopping());
    if (this.#is_busy) return;
    this.#connection?.close();
    this.#connection = undefined;
  }
}

const stopping = (): ServiceError => new ServiceError("stopping", "The service is stopping.");
