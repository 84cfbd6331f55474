/**
 * Group commit: runs the commands of a group one after another in one transaction, and returns their results after COMMIT.
 * With `synchronous = FULL`, COMMIT returns after the fsync of the WAL. A database has one such writer.
 */

import { service_errors } from "../../core/general_errors.ts";
import { SQLiteError } from "bun:sqlite";
import { dirname } from "node:path";
import type { Clock } from "../../core/clock.ts";
import type { ServiceError } from "../../core/errors.ts";
import { behindSqlite } from "../../core/failures.ts";
import { withReason } from "../../core/log.ts";
import { storage_limits } from "../limits.ts";
import { runAllIdempotent, runIdempotent } from "../idempotency.ts";
import type { CommandMap, Chore, IdempotentCall, Place, Written } from "../../core/storage.ts";
import { Checkpoints } from "./checkpoints.ts";
import { Connection, isBusy, storageFailure } from "./connection.ts";
import { placeOfCopy } from "./copies.ts";
import { changeIdentity, identify, type Identity } from "./identity.ts";
import { migrate, rewriteFirstPage } from "./migrate.ts";
import { makeShrinkable } from "./shrinkable.ts";
import { databaseSize, type DatabaseSize } from "./space.ts";
import { plainFailure, type PlainFailure } from "./thread_failure.ts";

export interface WriteRequest {
  name: string;
  input: unknown;
  call: IdempotentCall | undefined;
}

type WriteReply = (Written<unknown> & { failure?: undefined }) | { failure: PlainFailure };

/** Why the storage refuses writes: a code for callers, a reason for the log. Null while writes work. */
export type WriteState = { code: string; reason: string } | null;

interface Opened {
  identity: Identity;
  copied_to: Place | null;
}

export interface GroupOutcome {
  /** One for each request, in the same order. */
  replies: WriteReply[];
  /** Announced topics in the order of their commands, without duplicates. */
  changed: string[];
  /** Milliseconds of COMMIT; absent if the group was refused. */
  commit_ms?: number;
  /** Why the storage refused the whole group. */
  refused_because?: NonNullable<WriteState>;
}

/**
 * How long a group waits while another process holds the database. A write may also wait for the group before its own:
 * twice this time is less than a stop allows, and less than the idle limit of a connection.
 */
const patience_ms = 3_000;
/** SQLite's own busy timeout. Short, because it sums the requested sleep times, and real sleeps take longer under load. */
const busy_ms = 50;

export class TransactionRunner {
  readonly identity: Identity;
  /** Where the database is if it is a copy; else null. */
  readonly copied_to: Place | null;
  readonly checkpoints: Checkpoints;
  readonly #connection: Connection;
  readonly #commands: CommandMap;
  readonly #clock: Clock;
  /**
   * Names of commands that have failed after a write. Only these get a savepoint: it costs as much as the command itself,
   * because SQLite copies each page that the command changes.
   */
  readonly #undoable = new Set<string>();
  /** Set to 0 after a group has waited in vain, so that the groups behind it fail at once. */
  #patience_ms = patience_ms;

  private constructor(connection: Connection, commands: CommandMap, clock: Clock, opened: Opened) {
    this.identity = opened.identity;
    this.copied_to = opened.copied_to;
    this.#connection = connection;
    this.checkpoints = new Checkpoints(connection);
    this.#commands = commands;
    this.#clock = clock;
  }

  /**
   * Opens or creates the database file and migrates its schema. A copy gets another identity, unless `is_moved`. Throws a
   * user-facing error.
   */
  static open(file: string, commands: CommandMap, clock: Clock, is_moved = false): TransactionRunner {
    let connection: Connection | undefined;
    try {
      connection = new Connection(file, { busy_ms: patience_ms });
      const { database } = connection;
      // Before anything is written: a new database can give free pages back to the disk.
      database.run("PRAGMA auto_vacuum = INCREMENTAL");
      database.run("PRAGMA journal_mode = WAL");
      database.run("PRAGMA synchronous = FULL");
      database.run("PRAGMA wal_autocheckpoint = 0");
      database.run(`PRAGMA journal_size_limit = ${storage_limits.wal_bytes_max}`);
      // 16 MiB: the ends of the indexes that posts change, for thousands of rooms. Posts in 10,000 rooms gain nothing from more.
      database.run("PRAGMA cache_size = -16384");
      // FAST during the migration: deleted content is zeroed, except in pages that a migration frees. These are reused first.
      database.run("PRAGMA secure_delete = FAST");
      // One transaction: a new database has its whole schema or none, and costs one fsync. Many rows are moved in several.
      const commitPiece = (): void => {
        database.run("COMMIT");
        database.query("PRAGMA wal_checkpoint(TRUNCATE)").get();
        database.run("BEGIN");
      };
      const opened = database.transaction(() => {
        migrate(database, undefined, commitPiece);
        const copied_to = placeOfCopy(database, file, is_moved);
        // Writes the identity of the file into the log of a copy. Without it, the log would belong to another database if this
        // process were killed before a checkpoint.
        if (copied_to) rewriteFirstPage(database);
        return { identity: identify(database), copied_to };
      })();
      if (opened.copied_to) opened.identity = changeIdentity(database, dirname(file));
      // Not before: a migration may replace a table that others refer to.
      database.run("PRAGMA foreign_keys = ON");
      makeShrinkable(database, file);
      database.run("PRAGMA secure_delete = ON");
      database.run(`PRAGMA busy_timeout = ${busy_ms}`);
      return new TransactionRunner(connection, commands, clock, opened);
    } catch (error) {
      connection?.close();
      if (!(error instanceof SQLiteError)) throw error;
      throw withReason(`The database ${file} cannot be opened`, behindSqlite(error, file));
    }
  }

  /** Takes a connection to a database that nobody else uses, such as one in memory, and migrates its schema. */
  static over(connection: Connection, commands: CommandMap, clock: Clock): TransactionRunner {
    const { database } = connection;
    database.run("PRAGMA foreign_keys = ON");
    const identity = database.transaction(() => {
      migrate(database);
      return identify(database);
    })();
    return new TransactionRunner(connection, commands, clock, { identity, copied_to: null });
  }

  /**
   * Commits a group of writes. Never throws: a storage failure is the reply to every write. `refusal` returns an error for
   * the name of a command that must not run.
   */
  async commit(
    requests: WriteRequest[],
    refusal?: (name: string) => ServiceError | null,
  ): Promise<GroupOutcome> {
    const connection = this.#connection;
    const replies: WriteReply[] = [];
    try {
      this.#begin();
      while (replies.length < requests.length) {
        const request = requests[replies.length]!;
        const refused = refusal?.(request.name);
        if (refused) replies.push({ failure: plainFailure(refused) });
        else replies.push(...(await this.#runNext(requests, replies.length)));
      }
      const begun_ms = this.#clock.monotonic();
      connection.control("COMMIT");
      connection.ended({ is_durable: true });
      const commit_ms = this.#clock.monotonic() - begun_ms;
      this.#patience_ms = patience_ms;
      return { replies, changed: [...new Set(connection.takeAnnounced())], commit_ms };
    } catch (error) {
      connection.takeAnnounced();
      connection.ended({ is_durable: false });
      this.#rollBack();
      // Commands are functions of the database and their input, so the group can run again.
      if (error instanceof CannotUndo) return this.commit(requests, refusal);
      const failure = plainFailure(error);
      const code = failure.definition?.code ?? service_errors.internal.code;
      if (code === service_errors.storage_busy.code) this.#patience_ms = 0;
      const refused_because = { code, reason: String(error) };
      return { replies: requests.map(() => ({ failure })), changed: [], refused_because };
    }
  }

  /** Begins a write transaction. While another process holds the database, tries again for `#patience_ms`. */
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

  /** Runs the command at `from`, together with the commands of its kind after it if they can run at once. */
  async #runNext(requests: WriteRequest[], from: number): Promise<WriteReply[]> {
    const { name } = requests[from]!;
    const { all } = this.#commands[name]!;
    let end = from + 1;
    if (all && !this.#undoable.has(name)) while (requests[end]?.name === name) end++;
    if (!all || end === from + 1) return [await this.#runCommand(requests[from]!)];
    try {
      const outcomes = await runAllIdempotent(this.#connection, requests.slice(from, end), all);
      return outcomes.map((outcome) =>
        "error" in outcome ? { failure: plainFailure(outcome.error) } : outcome.result,
      );
    } catch (error) {
      if (!this.#connection.database.inTransaction) throw error;
      this.#undoable.add(name);
      throw new CannotUndo();
    }
  }

  /** Runs one command. Throws only if the whole transaction is lost or must be run again. */
  async #runCommand({ name, input, call }: WriteRequest): Promise<WriteReply> {
    const connection = this.#connection;
    const announced = connection.announced.length;
    const written_before = connection.statements_written;
    const is_undoable = this.#undoable.has(name);
    if (is_undoable) connection.control("SAVEPOINT command");
    try {
      const command = this.#commands[name]!;
      const written = call
        ? await runIdempotent(connection, call, () => command(connection, input))
        : { result: await command(connection, input), repeated: false };
      if (is_undoable) connection.control("RELEASE command");
      return written;
    } catch (error) {
      // A full or failing disk may have rolled back the whole transaction.
      if (!connection.database.inTransaction) throw error;
      if (is_undoable) {
        connection.control("ROLLBACK TO command");
        connection.control("RELEASE command");
      } else if (connection.statements_written > written_before) {
        this.#undoable.add(name);
        throw new CannotUndo();
      }
      connection.announced.length = announced;
      return { failure: plainFailure(error) };
    }
  }

  /** Runs one chore in its own transaction. Returns whether it has more to do; false also after a storage failure. */
  async runChore(chore: Chore): Promise<boolean> {
    try {
      // One attempt: a write must not wait behind a chore that waits for another process.
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
      this.#connection.ended({ is_durable: false });
    }
  }

  /** Tests whether writes work, with page 1. Returns the reason of a failure, or null. */
  probe(): WriteState {
    const { database } = this.#connection;
    try {
      database.transaction(() => rewriteFirstPage(database)).immediate();
      return null;
    } catch (error) {
      this.#rollBack();
      return {
        code: plainFailure(error).definition?.code ?? service_errors.internal.code,
        reason: String(error),
      };
    }
  }

  #rollBack(): void {
    if (!this.#connection.database.inTransaction) return;
    try {
      this.#connection.control("ROLLBACK");
    } catch {
      // The caller reports the first failure; the next BEGIN shows whether the connection still works.
    }
  }

  /** Size of the database after the next checkpoint. */
  databaseSize(): DatabaseSize {
    return databaseSize(this.#connection);
  }

  close(): void {
    this.#connection.close();
  }
}

/** A command without a savepoint failed after a write. The next run gives it a savepoint. */
class CannotUndo extends Error {}
