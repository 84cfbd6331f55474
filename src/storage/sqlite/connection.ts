/** One SQLite connection as a `Tx`: statements by text, failures in the house's words. */

import { Database, SQLiteError, type Statement } from "bun:sqlite";
import { ServiceError } from "../../core/errors.ts";
import type { SqlValue, Tx } from "../../core/storage.ts";

// To SQLite `$2` is a name, counted by where it first stands; `?2` is the second value wherever it stands.
const numbered = (sql: string): string => sql.replace(/\$(\d+)/g, "?$1");

export class Connection implements Tx {
  readonly database: Database;
  /** Subjects announced since the list was last taken. */
  announced: string[] = [];
  /** How many statements have run that may have written something. */
  statements_written = 0;
  /** Statements that were run and rows that they returned: about what the connection has cost its thread. */
  steps = 0;
  rows_written = 0;
  /** Whether the log may hold a text that was destroyed: a run before may have ended before it emptied the log. */
  has_erased = true;
  readonly #statements = new Map<string, Statement>();

  /** `busy_ms`: how long a statement may block its thread while another process holds the lock. */
  constructor(file: string, options: { readonly?: boolean; busy_ms: number }) {
    this.database = new Database(file, options.readonly ? { readonly: true } : { create: true });
    this.database.run(`PRAGMA busy_timeout = ${options.busy_ms}`);
  }

  // Statements are prepared once: their number is the number of SQL texts in the code. `query` tells SQLite that they
  // stay, so that they do not take up the memory that it sets aside for running them (SQLITE_PREPARE_PERSISTENT).
  #statement(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (!statement) this.#statements.set(sql, (statement = this.database.query(numbered(sql))));
    return statement;
  }

  /** The statement of an act, counted when it may write: a query that writes says `RETURNING`. */
  #counted(sql: string): Statement {
    if (!sql.startsWith("SELECT")) this.statements_written++;
    return this.#statement(sql);
  }

  async get<Row>(sql: string, ...values: SqlValue[]): Promise<Row | undefined> {
    this.steps++;
    const before = this.statements_written;
    const row = (this.#counted(sql).get(...values) as Row | null) ?? undefined;
    // The rows of a statement that writes are those that it has written.
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

  async run(sql: string, ...values: SqlValue[]): Promise<number> {
    const { changes } = this.#counted(sql).run(...values);
    this.rows_written += changes;
    return changes;
  }

  announce(subject: string): void {
    this.announced.push(subject);
  }

  erases(): void {
    this.has_erased = true;
  }

  /** Transaction control and pragmas, which take no values. */
  control(sql: string): unknown {
    return this.#statement(sql).get();
  }

  takeAnnounced(): string[] {
    const subjects = this.announced;
    this.announced = [];
    return subjects;
  }

  close(): void {
    for (const statement of this.#statements.values()) statement.finalize();
    this.#statements.clear();
    this.database.close();
  }
}

/** Whether SQLite refused a statement because another connection holds the lock that it needs. */
export const isBusy = (error: unknown): boolean =>
  error instanceof SQLiteError && /^SQLITE_(?:BUSY|LOCKED$)/.test(error.code ?? "");

/** What SQLite's failure means to the house; anything that is not an expected failure is given back as it is. */
export function storageFailure(error: unknown): unknown {
  if (!(error instanceof SQLiteError)) return error;
  const code = error.code ?? "";
  if (isBusy(error)) {
    return new ServiceError("storage_busy", "Another process holds the database just now.", {
      retry_after_seconds: 1,
    });
  }
  if (code === "SQLITE_FULL" || code === "SQLITE_TOOBIG") {
    return new ServiceError("storage_full", "The disk is full: nothing was stored.", {
      retry_after_seconds: 30,
    });
  }
  if (/CORRUPT|NOTADB/.test(code)) {
    return new ServiceError("storage_corrupt", "The database is damaged where this call reads it.", {
      hint: "Do not repeat the call: only a backup helps, which is the operator's task.",
    });
  }
  if (/^SQLITE_(IOERR|CANTOPEN|READONLY|NOMEM)/.test(code)) {
    return new ServiceError("storage_failed", "The disk refused the operation.", { retry_after_seconds: 5 });
  }
  return error;
}
