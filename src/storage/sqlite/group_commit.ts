/**
 * The one writer of a SQLite database: runs acts one after another, many in one transaction, and answers each only
 * after COMMIT (group commit). With `synchronous = FULL` COMMIT returns after fsync of the WAL.
 */

import { SQLiteError } from "bun:sqlite";
import type { Clock } from "../../core/clock.ts";
import type { ServiceError } from "../../core/errors.ts";
import type { FailureCode } from "../../core/error_codes.ts";
import { limits } from "../../core/limits.ts";
import { runOnce } from "../idempotency.ts";
import type { CommandMap, Chore, Once, Written } from "../../core/storage.ts";
import { Checkpoints } from "./checkpoints.ts";
import { Connection, isBusy, storageFailure } from "./connection.ts";
import { identify, type Identity } from "./identity.ts";
import { migrate, schemaVersion } from "./migrate.ts";
import { plainFailure, type PlainFailure } from "./thread_failure.ts";

export interface WriteRequest {
  name: string;
  input: unknown;
  once: Once | undefined;
}

export type WriteReply = (Written<unknown> & { failure?: undefined }) | { failure: PlainFailure };

/** Why the storage refuses writes, for callers and for the log; null while it takes them. */
export type WriteState = { code: FailureCode; reason: string } | null;

export interface GroupOutcome {
  /** One for each request, in their order. */
  replies: WriteReply[];
  /** Announced subjects in the order of their acts, each once. */
  changed: string[];
  /** Why the storage refused the whole group. */
  refused_because?: NonNullable<WriteState>;
}

/**
 * How long a group of writes waits for another process that holds the database, in its own thread, before it is refused. A
 * write may wait for the group before its own, too: twice this time is less than a stop grants, and than a connection may
 * be idle.
 */
const patience_ms = 3_000;
/** How long SQLite itself waits before a statement fails. It adds up its naps, which take longer on a busy machine. */
const busy_ms = 50;

export class Writer {
  readonly identity: Identity;
  readonly checkpoints: Checkpoints;
  readonly #connection: Connection;
  readonly #acts: CommandMap;
  readonly #clock: Clock;
  /**
   * Names of acts that have failed after they had written something. These get a savepoint; for the others it would cost
   * as much as the act itself (SQLite copies each page that an act changes), to undo what never has to be undone.
   */
  readonly #undoable = new Set<string>();
  /** Once a group has waited for another process in vain, those that follow do not wait as long again, one after another. */
  #patience_ms = patience_ms;

  private constructor(connection: Connection, acts: CommandMap, clock: Clock, identity: Identity) {
    this.identity = identity;
    this.#connection = connection;
    this.checkpoints = new Checkpoints(connection);
    this.#acts = acts;
    this.#clock = clock;
  }

  /** Opens or makes the database file and brings its schema up to date. Throws an error for people. */
  static open(file: string, acts: CommandMap, clock: Clock): Writer {
    let connection: Connection | undefined;
    try {
      connection = new Connection(file, { busy_ms: patience_ms });
      const { database } = connection;
      database.run("PRAGMA journal_mode = WAL");
      database.run("PRAGMA synchronous = FULL");
      database.run("PRAGMA foreign_keys = ON");
      database.run("PRAGMA wal_autocheckpoint = 0");
      database.run(`PRAGMA journal_size_limit = ${limits.wal_bytes_max}`);
      database.run("PRAGMA cache_size = -65536");
      // What is deleted is overwritten with zeros, but for pages that a migration gives up: those are used again first.
      database.run("PRAGMA secure_delete = FAST");
      // One transaction: a new database costs one fsync, and is there with its whole schema or not at all.
      const identity = database.transaction(() => {
        migrate(database);
        return identify(database);
      })();
      database.run("PRAGMA secure_delete = ON");
      database.run(`PRAGMA busy_timeout = ${busy_ms}`);
      return new Writer(connection, acts, clock, identity);
    } catch (error) {
      connection?.close();
      if (!(error instanceof SQLiteError)) throw error;
      throw new Error(`The database ${file} cannot be opened: ${error.message}.`, { cause: error });
    }
  }

  /**
   * Commits a group of writes. Never throws: a storage failure is every write's answer. `refusal` says by the name of an
   * act why it is not run at all.
   */
  async commit(
    requests: WriteRequest[],
    refusal?: (act: string) => ServiceError | null,
  ): Promise<GroupOutcome> {
    const connection = this.#connection;
    const replies: WriteReply[] = [];
    try {
      this.#begin();
      for (const request of requests) {
        const refused = refusal?.(request.name);
        replies.push(refused ? { failure: plainFailure(refused) } : await this.#runAct(request));
      }
      connection.control("COMMIT");
      this.#patience_ms = patience_ms;
      return { replies, changed: [...new Set(connection.takeAnnounced())] };
    } catch (error) {
      connection.takeAnnounced();
      this.#rollBack();
      // CommandMap are functions of the database and their input, so the group can simply be run again.
      if (error instanceof CannotUndo) return this.commit(requests, refusal);
      const failure = plainFailure(error);
      if (failure.code === "storage_busy") this.#patience_ms = 0;
      const refused_because = { code: failure.code ?? "internal", reason: String(error) };
      return { replies: requests.map(() => ({ failure })), changed: [], refused_because };
    }
  }

  /** Begins a transaction that may write. Tries again until another process has held the database for too long. */
  #begin(): void {
    const end_ms = this.#clock.monotonic() + this.#patience_ms;
    for (;;) {
      try {
        this.#connection.control("BEGIN IMMEDIATE");
        return;
      } catch (error) {
        if (!isBusy(error) || this.#clock.monotonic() >= end_ms) throw error;
      }
    }
  }

  /** Runs one act. Throws only when the whole transaction is lost with it, or has to be. */
  async #runAct({ name, input, once }: WriteRequest): Promise<WriteReply> {
    const connection = this.#connection;
    const announced = connection.announced.length;
    const written_before = connection.statements_written;
    const is_undoable = this.#undoable.has(name);
    if (is_undoable) connection.control("SAVEPOINT act");
    try {
      const act = this.#acts[name]!;
      const written = once
        ? await runOnce(connection, once, () => act(connection, input))
        : { result: await act(connection, input), repeated: false };
      if (is_undoable) connection.control("RELEASE act");
      return written;
    } catch (error) {
      // A full disk or a failing one may have rolled back the whole transaction, the other acts with it.
      if (!connection.database.inTransaction) throw error;
      if (is_undoable) {
        connection.control("ROLLBACK TO act");
        connection.control("RELEASE act");
      } else if (connection.statements_written > written_before) {
        this.#undoable.add(name);
        throw new CannotUndo();
      }
      connection.announced.length = announced;
      return { failure: plainFailure(error) };
    }
  }

  /** Runs one chore in a transaction of its own; one that the disk refuses is tried again after the next write. */
  async runChore(chore: Chore): Promise<boolean> {
    try {
      // Without patience: a write that arrives meanwhile must not wait for a chore that waits for another process.
      this.#connection.control("BEGIN IMMEDIATE");
      const more = await chore(this.#connection);
      this.#connection.control("COMMIT");
      return more;
    } catch (error) {
      this.#rollBack();
      if (storageFailure(error) === error) throw error;
      return false;
    } finally {
      this.#connection.takeAnnounced();
    }
  }

  /** Writes and syncs a page of no consequence; answers why the storage refuses that, or null. */
  probe(): WriteState {
    const { database } = this.#connection;
    try {
      database
        .transaction(() => database.run(`PRAGMA user_version = ${schemaVersion(database)}`))
        .immediate();
      return null;
    } catch (error) {
      this.#rollBack();
      return { code: plainFailure(error).code ?? "internal", reason: String(error) };
    }
  }

  #rollBack(): void {
    if (!this.#connection.database.inTransaction) return;
    try {
      this.#connection.control("ROLLBACK");
    } catch {
      // The failure that led here is the one that is told; the next BEGIN shows whether the connection still works.
    }
  }

  /** Size of the database once the log is in it. */
  databaseBytes(): number {
    const { page_count } = this.#connection.control("PRAGMA page_count") as { page_count: number };
    const { page_size } = this.#connection.control("PRAGMA page_size") as { page_size: number };
    return page_count * page_size;
  }

  close(): void {
    this.#connection.close();
  }
}

/** An act without a savepoint failed after it had written something. Its name has been noted: the next run has one. */
class CannotUndo extends Error {}
