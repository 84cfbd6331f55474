/** The Postgres implementation of the storage port. Any number of processes may use one database. */

import { AsyncLocalStorage } from "node:async_hooks";
import { systemClock } from "../../core/clock.ts";
import { ServiceError } from "../../core/errors.ts";
import { systemRandom } from "../../core/random.ts";
import { service_errors } from "../../core/general_errors.ts";
import { no_meter, type Meter } from "../../core/meter.ts";
import { errorText, type Log } from "../../core/log.ts";
import type * as port from "../../core/storage.ts";
import { storage_limits } from "../limits.ts";
import { Memory } from "../memory.ts";
import { exportCopy, exportStream } from "../export/stream.ts";
import { writeBackup } from "../sqlite/backup.ts";
import { finishInThread } from "../sqlite/backup_thread.ts";
import { Listeners } from "../listeners.ts";
import { Changes } from "./changes.ts";
import { Chores } from "./chores.ts";
import { begin, hintOf, isOutdated, isTimeout, PostgresTx, storageFailure } from "./connection.ts";
import { NodeMessages } from "./messages.ts";
import { migrate } from "./migrate.ts";
import { Health } from "./health.ts";
import { identityAt, placeOfCopy } from "./place.ts";
import { Pool, type PostgresPlace } from "./pool.ts";
import { ServerTime } from "./server_time.ts";
import { settledIn } from "./settled.ts";
import { UseTable } from "./use_table.ts";
import { copyToSqlite } from "./sqlite_copy.ts";
import { Writer, type Ordering } from "./writer.ts";

interface PostgresOptions {
  place: PostgresPlace;
  commands: port.CommandMap;
  searches: port.Searches;
  chores: readonly port.Chore[];
  /** Where the copy for an export is made. */
  directory: string;
  /** Starts a worker that runs `serveBackup`. If absent, this thread verifies and compresses backups. */
  startBackup?: () => Worker;
  /** What the commands are, by name. */
  orderingOf(name: string): Ordering;
  /** Whether the database was moved: it is taken for the original, wherever it was before. */
  is_moved?: boolean;
  log: Log;
  /** Where the storage reports its metrics. */
  meter?: Meter | undefined;
}

/** Opens the database and brings its schema up to date. Throws a user-facing error. */
export async function openPostgres<A extends port.CommandMap, S extends port.Searches = port.Searches>(
  options: PostgresOptions,
): Promise<port.Storage<A, S>> {
  const pool = new Pool(options.place, "wharf");
  await pool.check();
  try {
    await pool.with((handle) => migrate(handle, pool.schema), null);
    const copied_to = await pool.with((handle) => placeOfCopy(handle, options.is_moved ?? false));
    const identity = await pool.with((handle) => identityAt(handle, copied_to));
    const engine = new PostgresEngine<A, S>(pool, identity, copied_to, options);
    await engine.start();
    return engine;
  } catch (error) {
    await pool.close();
    throw error;
  }
}

class PostgresEngine<A extends port.CommandMap, S extends port.Searches> implements port.Storage<A, S> {
  readonly copied_to: port.Place | null;
  readonly identity: string;
  readonly messages: NodeMessages;
  readonly #pool: Pool;
  readonly #options: PostgresOptions;
  readonly #writer: Writer;
  readonly #changes: Changes;
  readonly #chores: Chores;
  readonly #health: Health;
  readonly #channel: string;
  /** Distinguishes the hints of this process. */
  readonly #node = systemRandom.bytes(8).toHex();
  readonly #listeners: Listeners;
  readonly #current = new AsyncLocalStorage<{ tx: port.Tx; is_open: boolean }>();
  readonly #time = new ServerTime();
  readonly #use: UseTable;
  #is_hinting = false;
  #searches = 0;
  #is_closed = false;
  /** Ends the backup that is being made. */
  #backup: (() => Promise<void>) | undefined;

  constructor(pool: Pool, identity: string, copied_to: port.Place | null, options: PostgresOptions) {
    const { commands, chores, orderingOf, log, meter = no_meter } = options;
    this.#pool = pool;
    this.identity = identity;
    this.copied_to = copied_to;
    this.#options = options;
    this.#listeners = new Listeners(log, () => !pool.is_down);
    this.#channel = `wharf_${identity}`;
    this.#changes = new Changes(pool, this.#time, (topic) => this.#changed(topic), log);
    const settledSeq = settledIn(pool);
    this.#writer = new Writer({
      pool,
      commands,
      orderingOf,
      meter,
      settledSeq,
      memory: new Memory(),
      failureOf: (error) => this.#failureOf(error),
      announce: (topics, xid) => this.#written(topics, xid),
    });
    this.#chores = new Chores({ pool, chores, settledSeq, log });
    this.#use = new UseTable(pool);
    this.#health = new Health(pool, log);
    this.messages = new NodeMessages(pool, this.#node, () => this.#hint());
  }

  async start(): Promise<void> {
    await this.#changes.catchUp();
    this.#changes.start();
    const hear = (node: string) => void (node !== this.#node && this.#changes.catchUp());
    this.#pool.listen({ channel: this.#channel, hear, log: this.#options.log });
    this.#chores.due();
  }

  write: port.Storage<A, S>["write"] = async (name, input, call) => {
    if (!this.#time.is_known) {
      throw new ServiceError(
        service_errors.storage_busy,
        "The time of the database is not known well enough.",
        {
          retry_after_seconds: 1,
        },
      );
    }
    return this.#writer.write(name, input, call) as never;
  };

  clockOffset = (): number => this.#time.offset_ms;

  async fresh(): Promise<void> {
    await this.#pool.refuseIfDown();
    await this.#changes.catchUp();
    await this.#pool.refuseIfDown();
    await this.#listeners.settled();
  }

  read: port.Storage<A, S>["read"] = async (query) => {
    const outer = this.#current.getStore();
    if (outer?.is_open) return query(outer.tx);
    try {
      return await this.#snapshot(query);
    } catch (error) {
      throw this.#failureOf(error);
    }
  };

  /** What callers get for an error of Postgres. Logs what the operator can do about it. */
  #failureOf(error: unknown): unknown {
    const hint = hintOf(error);
    if (hint !== undefined) this.#options.log.warn("storage.refused", { error: errorText(error), hint });
    return storageFailure(error);
  }

  /** Runs `query` on one snapshot. `seconds_max`: how long a statement may take. Throws errors as Postgres sends them. */
  #snapshot<Result>(query: (tx: port.Tx) => Promise<Result>, seconds_max?: number): Promise<Result> {
    return this.#attempt(query, seconds_max).catch((error: unknown) => {
      if (!isOutdated(error)) throw error;
      return this.#attempt(query, seconds_max);
    });
  }

  async #attempt<Result>(query: (tx: port.Tx) => Promise<Result>, seconds_max?: number): Promise<Result> {
    if (this.#is_closed) throw stopping();
    const handle = await this.#pool.reserve();
    // Sent without waiting; if one fails, the first statement of the query does, too.
    begin(handle, { is_snapshot: true, seconds_max }).catch(() => undefined);
    const active = { tx: new PostgresTx(handle), is_open: true };
    try {
      return await this.#current.run(active, query, active.tx);
    } finally {
      active.is_open = false;
      const release = () => this.#pool.release(handle);
      handle`COMMIT`.then(release, release);
    }
  }

  search: port.Storage<A, S>["search"] = async (name, input) => {
    if (this.#searches >= storage_limits.searches_waiting_max) {
      throw new ServiceError(service_errors.search_busy, "Too many searches wait.", {
        retry_after_seconds: 2,
      });
    }
    this.#searches++;
    try {
      const run = (tx: port.Tx) => this.#options.searches[name]!(tx, input);
      return (await this.#snapshot(run, storage_limits.search_seconds_max)) as never;
    } catch (error) {
      throw isTimeout(error)
        ? new ServiceError(service_errors.search_timeout, "The search took too long and was ended.")
        : this.#failureOf(error);
    } finally {
      this.#searches--;
    }
  };

  #changed(topic: string | null): void {
    if (!this.messages.take(topic)) this.#listeners.announce(topic);
  }

  /** Publishes what this process has written, and gives others a hint. */
  #written(topics: string[], xid: string | null): void {
    if (xid !== null) this.#changes.noteOwn(xid);
    for (const topic of topics) this.#listeners.announce(topic);
    this.#chores.due();
    if (topics.length > 0) this.#hint();
  }

  /** Has other nodes look for changes: outside of transactions, because a NOTIFY in one holds up all commits. */
  #hint(): void {
    if (this.#is_hinting || this.#is_closed) return;
    this.#is_hinting = true;
    // Those that end meanwhile need no hint of their own.
    systemClock.after(1, () => {
      this.#is_hinting = false;
      if (!this.#is_closed) void this.#pool.notify(this.#channel, this.#node).catch(() => undefined);
    });
  }

  shareUse: port.Storage<A, S>["shareUse"] = (reports, steady_ms) => this.#use.exchange(reports, steady_ms);

  onChange(phase: port.ChangePhase, listener: port.ChangeListener): void {
    this.#listeners.add(phase, listener);
  }

  prepare(): void {}

  async health(): Promise<Record<string, port.Check>> {
    const busy: port.Check = { status: "failing", code: service_errors.storage_busy.code };
    const writes = await this.#health.writes();
    if (this.#pool.is_down) return { writes: busy, database: { status: "unknown" } };
    return {
      writes: this.#time.is_known ? writes : busy,
      database: this.#listeners.are_current ? { status: "ok" } : busy,
    };
  }

  /** Writes a database of SQLite: it can be restored, and read by every tool for backups. */
  backup: port.Storage<A, S>["backup"] = async (file, options) => {
    if (this.#is_closed) throw stopping();
    if (this.#backup) throw new ServiceError(service_errors.backup_running, "Another backup is being made.");
    const cancelled = new AbortController();
    const copy = async (partial: string) => {
      await this.#pool.with((handle) => copyToSqlite(handle, partial, cancelled.signal), null);
    };
    const { startBackup } = this.#options;
    const finish =
      startBackup && ((name: string) => finishInThread(startBackup, name, options ?? {}, cancelled.signal));
    const made = writeBackup(file, copy, options, finish);
    this.#backup = async () => {
      cancelled.abort(stopping());
      await made.catch(() => undefined);
    };
    try {
      return await made;
    } finally {
      this.#backup = undefined;
    }
  };

  export: port.Storage<A, S>["export"] = async (options) => {
    const copy = exportCopy(this.#options.directory, systemRandom.uuid(systemClock.now()));
    await this.backup(copy);
    return exportStream(copy, options);
  };

  async close(): Promise<void> {
    await this.#writer.close();
    this.#is_closed = true;
    this.#listeners.close();
    await this.#backup?.();
    await this.#chores.close();
    await Promise.all([this.#use.close(), this.messages.close()]);
    await this.#changes.close();
    await this.#pool.close();
  }
}

const stopping = (): ServiceError => new ServiceError(service_errors.stopping, "The service is stopping.");
