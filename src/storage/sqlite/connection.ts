/** One SQLite connection as a `Tx`: caches prepared statements by their text, and maps SQLite errors to our error codes. */

import { Database, SQLiteError, type Statement } from "bun:sqlite";
import { service_errors } from "../../core/general_errors.ts";
import { ServiceError } from "../../core/errors.ts";
import { Overtaken, type InsertedTable, type SqlValue, type Tx } from "../../core/storage.ts";
import type { TextIndex, TextIndexName } from "../../core/text_index.ts";
import { Memory, type Remembered } from "../memory.ts";
import { bytesOf } from "../packed.ts";
import { giveBack } from "./space.ts";
import { sqliteTextIndex } from "./text_index.ts";

/**
 * In SQLite `$2` is a name, numbered by its first use; `?2` is always the second value. The sign changes no value, of whatever type: but if
 * a bare parameter is compared with a column, and there is an ORDER BY, SQLite prepares the statement again for each new value
 * (`sqlite3VdbeSetVarmask` in its source), which takes ten times as long as to find a row.
 */
const numbered = (sql: string): string => sql.replace(/\$(\d+)/g, "+?$1");

/** The statements that insert a row. */
const insertions = new WeakMap<object, string>();

export class Connection implements Tx {
  readonly database: Database;
  /** Topics announced since the list was last taken. */
  announced: string[] = [];
  readonly #memory = new Memory();
  /** What the transaction remembers. */
  #remembered: Remembered[] = [];
  /** Number of statements run so far that may have written something. */
  statements_written = 0;
  /** Statements run so far plus rows returned: a rough measure of the time they have taken. */
  steps = 0;
  rows_written = 0;
  /** Whether the log may hold erased text. True at first: an earlier process may have ended before it truncated the log. */
  has_erased = true;
  readonly #statements = new Map<string, Statement>();

  /**
   * Opens `source`, a file or an open database that becomes its own. `busy_ms`: how long a statement may block the thread while
   * another process holds the lock.
   */
  constructor(source: string | Database, options: { readonly?: boolean; busy_ms: number }) {
    this.database =
      typeof source === "string"
        ? new Database(source, options.readonly ? { readonly: true } : { create: true })
        : source;
    this.database.run(`PRAGMA busy_timeout = ${options.busy_ms}`);
  }

  // Each SQL text is prepared once; the code has a fixed number of them. `query` sets SQLITE_PREPARE_PERSISTENT, so that
  // long-lived statements do not use up SQLite's lookaside memory.
  #statement(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (!statement) this.#statements.set(sql, (statement = this.database.query(numbered(sql))));
    return statement;
  }

  /** The statement, counted if it may write. Anything but SELECT may: a query can be an INSERT with `RETURNING`. */
  #counted(sql: string): Statement {
    if (!sql.startsWith("SELECT")) this.statements_written++;
    return this.#statement(sql);
  }

  async get<Row>(sql: string, ...values: SqlValue[]): Promise<Row | undefined> {
    this.steps++;
    const before = this.statements_written;
    const row = (this.#counted(sql).get(...values) as Row | null) ?? undefined;
    // A writing statement returns the rows that it has written.
    if (row !== undefined && this.statements_written > before) this.rows_written++;
    return row;
  }

  async all<Row>(sql: string, ...values: SqlValue[]): Promise<Row[]> {
    const before = this.statements_written;
    const rows = this.#counted(sql).all(...values) as Row[];
    this.steps += 1 + rows.length;
    if (this.statements_written > before) this.rows_written += rows.length;
    return rows;
  }

  #run(sql: string, values: readonly SqlValue[]): number {
    const { changes } = this.#counted(sql).run(...values);
    this.rows_written += changes;
    return changes;
  }

  async run(sql: string, ...values: SqlValue[]): Promise<number> {
    return this.#run(sql, values);
  }

  async change(rows: number, sql: string, ...values: SqlValue[]): Promise<void> {
    if (this.#run(sql, values) < rows) throw new Overtaken();
  }

  async insertAll<Row extends object>(table: InsertedTable<Row>, rows: readonly Row[]): Promise<void> {
    let sql = insertions.get(table);
    if (sql === undefined) {
      const places = table.columns.map((_, i) => `$${i + 1}`).join(", ");
      sql = `INSERT INTO ${table.name} (${table.columns.join(", ")}) VALUES (${places})`;
      insertions.set(table, sql);
    }
    for (const row of rows) {
      this.#run(
        sql,
        table.columns.map((column) => row[column] as SqlValue),
      );
    }
  }

  packed(hex: string): SqlValue {
    return bytesOf(hex);
  }

  textIndex(name: TextIndexName): TextIndex {
    return sqliteTextIndex(this, name);
  }

  /** There is one writer: rows appear in the order of their numbers. */
  async settledSeq(): Promise<number> {
    return Number.MAX_SAFE_INTEGER;
  }

  /** Nothing to do: there is one writer. */
  async holdTextIndexes(): Promise<void> {}

  giveBack(): Promise<{ bytes: number; more: boolean }> {
    return giveBack(this);
  }

  recall(key: string): number | undefined {
    return this.#memory.recall(key);
  }

  remember(key: string, value: number): void {
    this.#remembered.push([key, value]);
  }

  /** Ends a transaction in memory. */
  ended({ is_durable }: { is_durable: boolean }): void {
    if (this.#remembered.length === 0) return;
    if (is_durable) this.#memory.add(this.#remembered);
    this.#remembered = [];
  }

  announce(topic: string): void {
    this.announced.push(topic);
  }

  erases(): void {
    this.has_erased = true;
  }

  /** Runs transaction control or a pragma, which take no values. Returns the first row. */
  control(sql: string): unknown {
    return this.#statement(sql).get();
  }

  takeAnnounced(): string[] {
    const topics = this.announced;
    this.announced = [];
    return topics;
  }

  close(): void {
    for (const statement of this.#statements.values()) statement.finalize();
    this.#statements.clear();
    this.database.close();
  }
}

/** Whether SQLite refused a statement because another connection holds the lock. */
export const isBusy = (error: unknown): boolean =>
  error instanceof SQLiteError && /^SQLITE_(?:BUSY|LOCKED$)/.test(error.code ?? "");

/** The `ServiceError` for an expected SQLite error; any other error is returned unchanged. */
export function storageFailure(error: unknown): unknown {
  if (!(error instanceof SQLiteError)) return error;
  const code = error.code ?? "";
  if (isBusy(error)) {
    return new ServiceError(service_errors.storage_busy, "Another process holds the database just now.", {
      retry_after_seconds: 1,
    });
  }
  if (code === "SQLITE_FULL" || code === "SQLITE_TOOBIG") {
    return new ServiceError(service_errors.storage_full, "The disk is full: nothing was stored.", {
      retry_after_seconds: 30,
    });
  }
  if (/CORRUPT|NOTADB/.test(code)) {
    return new ServiceError(
      service_errors.storage_corrupt,
      "The database is damaged where this call reads it.",
      {
        hint: "Do not repeat the call: only a backup helps, which is the operator's task.",
      },
    );
  }
  if (/^SQLITE_(IOERR|CANTOPEN|READONLY|NOMEM)/.test(code)) {
    return new ServiceError(service_errors.storage_failed, "The disk refused the operation.", {
      retry_after_seconds: 5,
    });
  }
  return error;
}
