/** A transaction in Postgres as a `Tx`: values as SQLite has them, and the errors of Postgres as our error codes. */

import type { ReservedSQL } from "bun";
import { service_errors } from "../../core/general_errors.ts";
import { ServiceError } from "../../core/errors.ts";
import { messageOf } from "../../core/log.ts";
import type { InsertedTable, SqlValue, Tx } from "../../core/storage.ts";
import type { TextIndex, TextIndexName } from "../../core/text_index.ts";
import type { Memory, Remembered } from "../memory.ts";
import { postgres_limits } from "./limits.ts";
import { PendingWrites } from "./pending_writes.ts";
import { hold_indexes, postgresTextIndex } from "./text_index.ts";

/** Object ids of types (pg_type.dat) whose values arrive as bigints, texts or booleans; a `Tx` returns numbers. */
const number_types = new Set([/* bool */ 16, /* int8 */ 20, /* numeric */ 1700]);

/** What Bun returns for a statement. Its types do not know the columns. */
type Rows = Record<string, unknown>[] & {
  count: number;
  command: string;
  columns?: { name: string; type: number }[];
};

/**
 * Postgres has no NUL in texts. No stored text has one either, so a text with NUL occurs only in lookups. A noncharacter in its
 * place is never stored, so the lookup finds nothing.
 */
const withoutNul = (value: SqlValue): SqlValue =>
  typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "\uFFFE") : value;

/**
 * Begins a transaction that ends when the server, a lock or this process takes too long. That is set in the transaction, because
 * PgBouncer takes no such parameters of a connection, and by a statement with parameters, because Bun sends others only after the
 * answer to those before. Later statements need not wait for it. `is_snapshot`: it only reads, as of one moment.
 */
export function begin(
  handle: ReservedSQL,
  {
    is_snapshot = false,
    seconds_max = postgres_limits.statement_seconds_max as number,
    lock_seconds_max = postgres_limits.lock_seconds_max as number,
  } = {},
): Promise<unknown> {
  return Promise.all([
    is_snapshot ? handle`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY` : handle`BEGIN`,
    handle`
      SELECT set_config('statement_timeout', ${`${seconds_max}s`}, true),
        set_config('lock_timeout', ${`${lock_seconds_max}s`}, true),
        set_config('idle_in_transaction_session_timeout', ${`${postgres_limits.idle_in_transaction_seconds_max}s`}, true)`,
  ]);
}

/**
 * How often a newer node has changed the schema under prepared statements. It is part of their texts, so that they are prepared
 * again: Postgres refuses a prepared `SELECT *` whose table has got another column.
 */
let schema_changes = 0;

/** Sends a statement, without waiting for others. */
async function send(handle: ReservedSQL, sql: string, values: SqlValue[]): Promise<Rows> {
  const text = schema_changes === 0 ? sql : `${sql} -- ${schema_changes}`;
  try {
    // Awaited without `catch`, which would send it before statements that wait to be sent.
    return (await handle.unsafe(text, values.map(withoutNul))) as Rows;
  } catch (error) {
    if (isOutdated(error)) schema_changes++;
    throw error;
  }
}

/** The statements that wait to be sent on a connection. */
export const pendingOn = (handle: ReservedSQL): PendingWrites =>
  new PendingWrites((sql, values) => send(handle, sql, values));

type SettledTable = "posts" | "rooms" | "jobs";
export type SettledSeq = (table: SettledTable, after: number) => Promise<number>;

const nothingSettled = (): Promise<number> => Promise.resolve(0);

/**
 * A handle for one command or one query. Several may share a connection and its transaction: a handle sends its
 * statements without waiting for other handles, and Postgres runs them in the order in which they were sent.
 */
export class PostgresTx implements Tx {
  rows_written = 0;
  /** Topics that were announced. */
  readonly announced: string[] = [];
  /** What it remembers once it is durable. */
  readonly remembered: Remembered[] = [];

  /**
   * `settled`: the answer of `settledSeq`, which only chores need. `pending`: gets the statements whose results no command needs; who
   * commits sends and awaits them. If absent, they are sent and awaited here. `memory`: what this process has remembered; only commands
   * need it.
   */
  constructor(
    private readonly handle: ReservedSQL,
    private readonly settled: SettledSeq = nothingSettled,
    private readonly pending: PendingWrites | null = null,
    private readonly memory: Memory | null = null,
  ) {}

  async #run(sql: string, values: SqlValue[]): Promise<Rows> {
    const rows = await this.#query(sql, values);
    if (rows.command !== "SELECT") this.rows_written += rows.count;
    for (const { name, type } of rows.columns ?? []) {
      if (!number_types.has(type)) continue;
      for (const row of rows) if (row[name] !== null) row[name] = Number(row[name]);
    }
    return rows;
  }

  async #query(sql: string, values: SqlValue[]): Promise<Rows> {
    this.pending?.flush();
    return send(this.handle, sql, values);
  }

  async get<Row>(sql: string, ...values: SqlValue[]): Promise<Row | undefined> {
    return (await this.#run(sql, values))[0] as Row | undefined;
  }

  async all<Row>(sql: string, ...values: SqlValue[]): Promise<Row[]> {
    // A plain list: the result has further members.
    return [...(await this.#run(sql, values))] as Row[];
  }

  async run(sql: string, ...values: SqlValue[]): Promise<number> {
    return (await this.#run(sql, values)).count;
  }

  change(rows: number, sql: string, ...values: SqlValue[]): Promise<void> {
    return this.#write(sql, values, rows);
  }

  async #write(sql: string, values: SqlValue[], rows?: number): Promise<void> {
    this.rows_written++;
    const pending = this.pending ?? pendingOn(this.handle);
    pending.add(sql, values, rows);
    if (this.pending !== null) return;
    pending.flush();
    await Promise.all(pending.sent);
  }

  /** By one statement, which has them as JSON. */
  async insertAll<Row extends object>(
    { name, columns }: InsertedTable<Row>,
    rows: readonly Row[],
  ): Promise<void> {
    if (rows.length === 0) return;
    const list = columns.join(", ");
    await this.#write(
      `INSERT INTO ${name} (${list}) SELECT ${list} FROM json_populate_recordset(NULL::${name}, CAST(CAST($1 AS TEXT) AS JSON))`,
      [JSON.stringify(rows)],
    );
  }

  /** A UUID may be given without dashes. */
  packed(hex: string): SqlValue {
    return hex;
  }

  textIndex(name: TextIndexName): TextIndex {
    return postgresTextIndex(this, name);
  }

  settledSeq(table: SettledTable, after: number): Promise<number> {
    return this.settled(table, after);
  }

  async holdTextIndexes(): Promise<void> {
    await this.get(hold_indexes);
  }

  /** Postgres does so itself (VACUUM). */
  async giveBack(): Promise<{ bytes: number; more: boolean }> {
    return { bytes: 0, more: false };
  }

  recall(key: string): number | undefined {
    return this.memory?.recall(key);
  }

  remember(key: string, value: number): void {
    this.remembered.push([key, value]);
  }

  announce(topic: string): void {
    this.announced.push(topic);
  }

  /** Nothing to do: what Postgres has deleted stays in its files until VACUUM, and in its log until that is recycled. */
  erases(): void {}
}

/** The code of an error (SQLSTATE, appendix A of the manual of Postgres); undefined if the server did not send it. */
function stateOf(error: unknown): string | undefined {
  const { errno } = error as { errno?: unknown };
  return typeof errno === "string" && /^[0-9A-Z]{5}$/.test(errno) ? errno : undefined;
}

/**
 * States in which another transaction came first, or the transaction had failed before the statement: serialization failure,
 * deadlock, a row that exists or is gone meanwhile, a division by zero (`PostgresTx.change`).
 */
const conflict_states = new Set(["40001", "40P01", "23505", "23503", "25P02", "22012"]);

/** Whether a statement was prepared for an earlier schema: a use of "feature not supported" that only its place in the server shows. */
export const isOutdated = (error: unknown): boolean =>
  stateOf(error) === "0A000" && (error as { routine?: string }).routine === "RevalidateCachedQuery";

/** Whether a statement took longer than it may. */
export const isTimeout = (error: unknown): boolean => stateOf(error) === "57014";

/** Whether a statement waited in vain for a lock that another session holds. */
export const isBlocked = (error: unknown): boolean => stateOf(error) === "55P03" || isTimeout(error);

/** What an operator needs to know of an error of Postgres, as a hint for the log; undefined if nothing. */
export function hintOf(error: unknown): string | undefined {
  const state = stateOf(error);
  if (state === "57014")
    return "A statement took too long and was ended. Look at the load, the disk and the statistics (ANALYZE) of the server.";
  if (state === "55P03")
    return "A lock was not free in time. Look in pg_stat_activity and pg_blocking_pids() for the session that holds it.";
  if (state === "25P03")
    return "This node was silent in a transaction for too long, so the server ended its connection. Look at the load of the node.";
  // A standby lacks unlogged tables, such as the table of changes.
  if (state === "25006" || (state === "0A000" && messageOf(error).includes("during recovery")))
    return "The server takes no writes: it is a standby, or default_transaction_read_only is on. Name the primary with --database.";
  if (state?.startsWith("53"))
    return "The server has too little of something: connections, memory or disk. Its log says what.";
  return undefined;
}

/** Whether to run the commands of a transaction again. */
export const isConflict = (error: unknown): boolean =>
  conflict_states.has(stateOf(error) ?? "") || isOutdated(error);

/** Whether the connection is lost, so that nobody knows what became of a transaction. */
export function isLost(error: unknown): boolean {
  const state = stateOf(error);
  // 25P03: this process was silent in a transaction for too long.
  if (state !== undefined) return /^(?:08|57P|25P03)/.test(state);
  const { code } = error as { code?: unknown };
  return typeof code === "string" && /^(?:ERR_POSTGRES|ECONN|EPIPE|ETIMEDOUT)/.test(code);
}

/** The `ServiceError` for an expected error of Postgres; any other error is returned unchanged. */
export function storageFailure(error: unknown): unknown {
  if (error instanceof ServiceError) return error;
  const state = stateOf(error);
  if (state === "53100" || state === "53200") {
    return new ServiceError(service_errors.storage_full, "The database is full: nothing was stored.", {
      retry_after_seconds: 30,
    });
  }
  if (state?.startsWith("XX00")) {
    return new ServiceError(
      service_errors.storage_corrupt,
      "The database is damaged where this call reads it.",
      { hint: "Do not repeat the call: only a backup helps, which is the operator's task." },
    );
  }
  // Too many connections, cancelled, locked, read-only (a standby).
  if (state !== undefined && /^(?:53|55|57014|25006)/.test(state)) {
    return new ServiceError(service_errors.storage_busy, "The database cannot do it just now.", {
      retry_after_seconds: 1,
    });
  }
  if (isLost(error)) {
    return new ServiceError(service_errors.storage_failed, "The connection to the database was lost.", {
      retry_after_seconds: 1,
    });
  }
  return error;
}
