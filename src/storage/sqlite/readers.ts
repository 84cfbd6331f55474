/** Runs reads one after another on one connection. Each sees one snapshot of the durable data. */

import { AsyncLocalStorage } from "node:async_hooks";
import { service_errors } from "../../core/general_errors.ts";
import { systemClock, type Clock } from "../../core/clock.ts";
import { isFailure, ServiceError } from "../../core/errors.ts";
import { storage_limits } from "../limits.ts";
import type { Tx } from "../../core/storage.ts";
import { Connection, storageFailure } from "./connection.ts";

/** A read whose query is running. */
interface ActiveRead {
  tx: Tx;
  is_open: boolean;
  /** The read took too long and its connection was closed. */
  is_ended?: boolean;
}

interface ReadEvents {
  /** A read found the database damaged. */
  noteDamage(error: unknown): void;
  /** A read was ended because it took too long. */
  noteLongRead(): void;
}

/**
 * Reads wait in a queue and are never refused. A second connection would not help: SQLite runs on this thread, and a query
 * ends in the turn of the event loop in which it begins.
 */
export class Readers {
  readonly #clock: Clock;
  /** The read that has the connection. */
  #active: ActiveRead | undefined;
  #cancelWatch = () => {};
  readonly #current = new AsyncLocalStorage<ActiveRead>();
  #connection: Connection | undefined;
  readonly #queue: PromiseWithResolvers<void>[] = [];
  #is_busy = false;
  /** The connection's `steps` when the queue last yielded to the event loop. */
  #steps_before = 0;
  #closed = false;

  constructor(
    private readonly file: string,
    private readonly events: ReadEvents = { noteDamage() {}, noteLongRead() {} },
    clock = systemClock,
  ) {
    this.#clock = clock;
    this.#watch(undefined, 0);
  }

  /**
   * Runs `query` in a read transaction. The query awaits nothing but its handle. A read inside a query uses the same
   * transaction; in the queue it would wait for itself. Throws `stopping` after `close`, and `storage_busy` if the query
   * takes longer than `read_seconds_max`.
   */
  async read<Result>(query: (tx: Tx) => Promise<Result>): Promise<Result> {
    const outer = this.#current.getStore();
    if (outer?.is_open) return query(outer.tx);
    if (this.#is_busy) await this.#wait();
    this.#is_busy = true;
    let active: ActiveRead | undefined;
    try {
      const connection = this.#open();
      connection.control("BEGIN");
      active = this.#active = { tx: connection, is_open: true };
      return await this.#current.run(active, query, connection);
    } catch (error) {
      if (active?.is_ended) throw too_long;
      const known = storageFailure(error);
      if (isFailure(known, service_errors.storage_corrupt)) this.events.noteDamage(error);
      throw known;
    } finally {
      if (active) active.is_open = false;
      if (!active?.is_ended) {
        this.#active = undefined;
        this.#end();
        this.#next();
      }
    }
  }

  /**
   * Ends a read that is still active after `checks_per_read` checks. Such a read awaits something else than its handle; it
   * blocks the reset of the log and all other reads. `checks`: how many checks have found the read `seen`.
   */
  #watch(seen: ActiveRead | undefined, checks: number): void {
    this.#cancelWatch = this.#clock.after((storage_limits.read_seconds_max * 1000) / checks_per_read, () => {
      const same_checks = this.#active && this.#active === seen ? checks + 1 : 0;
      if (same_checks === checks_per_read) this.#endLongRead();
      this.#watch(this.#active, same_checks);
    });
  }

  /** Closes the connection of the active read: its next statement fails. */
  #endLongRead(): void {
    this.#active!.is_ended = true;
    this.#active!.is_open = false;
    this.#active = undefined;
    this.#connection?.close();
    this.#connection = undefined;
    this.#steps_before = 0;
    this.events.noteLongRead();
    this.#next();
  }

  #wait(): Promise<void> {
    const turn = Promise.withResolvers<void>();
    this.#queue.push(turn);
    return turn.promise;
  }

  #open(): Connection {
    if (this.#closed) throw stopping();
    // No memory mapping: a disk error under a mapped page would kill the process.
    this.#connection ??= new Connection(this.file, { readonly: true, busy_ms: 0 });
    return this.#connection;
  }

  /** Ends the transaction. If that fails, closes the connection; the next read opens another. */
  #end(): void {
    const connection = this.#connection;
    if (!connection) return;
    try {
      if (connection.database.inTransaction) connection.control("COMMIT");
      if (!this.#closed) return;
    } catch {
      // The connection is closed below.
    }
    this.#connection = undefined;
    this.#steps_before = 0;
    connection.close();
  }

  /** Starts the next read: at once, or in the next turn of the event loop after `read_steps_per_turn` steps. */
  #next(): void {
    const steps = this.#connection?.steps ?? 0;
    const next = this.#queue.shift();
    if (!next) {
      this.#is_busy = false;
      this.#steps_before = steps;
    } else if (steps - this.#steps_before < storage_limits.read_steps_per_turn) next.resolve();
    else {
      this.#steps_before = steps;
      void systemClock.turn().then(next.resolve);
    }
  }

  /** Refuses waiting and later reads, and closes the connection after the active read. */
  close(): void {
    this.#closed = true;
    this.#cancelWatch();
    for (const { reject } of this.#queue.splice(0)) reject(stopping());
    if (this.#is_busy) return;
    this.#connection?.close();
    this.#connection = undefined;
  }
}

/** Checks that a read survives after the first one that has seen it. */
const checks_per_read = 2;

const too_long = new ServiceError(
  service_errors.storage_busy,
  `The read was ended: it took more than ${storage_limits.read_seconds_max} seconds.`,
  { retry_after_seconds: 1 },
);

const stopping = (): ServiceError => new ServiceError(service_errors.stopping, "The service is stopping.");
