/** Imports an export into a data directory that has no database yet. */

import { Database, type Statement } from "bun:sqlite";
import { closeSync, openSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { behindSqlite, isThere } from "../../core/failures.ts";
import { migrations } from "../migrations.ts";
import { markAsCopy } from "../sqlite/copies.ts";
import { makeDirectory, syncDirectory, syncFile } from "../sqlite/durable.ts";
import { lockDirectory, lockFile } from "../sqlite/lock.ts";
import { migrate } from "../sqlite/migrate.ts";
import { dropTriggers } from "../sqlite/triggers.ts";
import { refuseFull, removePartial } from "../sqlite/unfinished.ts";
import { fromJson, type ExportHeader, type ExportRow, type RowCounts } from "./format.ts";
import { readExport } from "./reader.ts";
import { tablesOf } from "./writer.ts";
import { messageOf } from "../../core/log.ts";

export interface Imported extends ExportHeader {
  rows: RowCounts;
}

const an_import = "An import";

/**
 * Makes the database of `directory`, which must be missing or empty, from an export. The database gets its name when it is
 * complete and checked; after an error nothing is left of it. `onRow` is called with the number of rows so far. Throws a
 * user-facing error.
 */
export async function importInto(
  directory: string,
  chunks: AsyncIterable<Uint8Array>,
  onRow: (count: number) => void = () => {},
): Promise<Imported> {
  const is_new = !isThere(directory);
  const file = join(directory, "wharf.db");
  const partial = `${file}.partial`;
  refuseFull(directory, an_import);
  makeDirectory(directory);
  const unlock = lockDirectory(directory);
  let is_own = false;
  try {
    // Another import may have ended meanwhile.
    refuseFull(directory, an_import);
    is_own = true;
    removePartial(file);
    const imported = await fill(partial, chunks, onRow);
    syncFile(partial);
    renameSync(partial, file);
    syncDirectory(directory);
    unlock();
    return imported;
  } catch (error) {
    if (is_own) removePartial(file);
    unlock();
    if (!is_own) throw error;
    rmSync(lockFile(directory), { force: true });
    if (is_new) rmdirSync(directory);
    const reason = messageOf(behindSqlite(error, partial));
    throw new Error(`${reason}. Nothing was imported.`, { cause: error });
  }
}

/** Writes the database `file`. The rows get the schema of the export, and then the migrations since. */
async function fill(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
  onRow: (count: number) => void,
): Promise<Imported> {
  closeSync(openSync(file, "wx", 0o600));
  const database = new Database(file, { create: true, strict: true });
  try {
    // Nobody reads this file before it is complete, and after a failure it is deleted. There are no pages yet to journal.
    database.run("PRAGMA auto_vacuum = INCREMENTAL");
    database.run("PRAGMA journal_mode = MEMORY");
    database.run("PRAGMA synchronous = OFF");
    database.run("PRAGMA foreign_keys = OFF");
    database.run("BEGIN");
    let tables: Tables | undefined;
    let header: ExportHeader | undefined;
    for await (const line of readExport(chunks)) {
      if ("format" in line) {
        header = line;
        checkSchema(line.schema);
        migrate(database, line.schema);
        tables = new Tables(database);
        continue;
      }
      onRow(tables!.insert(line));
    }
    tables!.finish();
    migrate(database);
    // The original may still be in use.
    markAsCopy(database);
    check(database);
    database.run("COMMIT");
    return { ...header!, rows: tables!.counts };
  } finally {
    database.close();
  }
}

function checkSchema(schema: number): void {
  if (schema <= migrations.length) return;
  throw new Error(
    `The export has schema version ${schema}; this build knows versions up to ${migrations.length}. ` +
      "Import it with the newer build",
  );
}

/** Throws if a row refers to one that is missing, or the file is damaged. */
function check(database: Database): void {
  const [missing] = database.query("PRAGMA foreign_key_check").values() as [string, number, string][];
  if (missing) throw new Error(`A row of ${missing[0]} refers to a row of ${missing[2]} that is not there`);
  const [[found]] = database.query("PRAGMA integrity_check(1)").values() as [[string]];
  if (found !== "ok") throw new Error(`The imported database is damaged: ${found}`);
}

/** The tables of the schema of the export, empty at first and without the triggers, whose effects the export has, too. */
class Tables {
  readonly counts: RowCounts = {};
  readonly #restoreTriggers: () => void;
  readonly #inserts = new Map<string, { columns: string[]; statement: Statement }>();
  #count = 0;

  constructor(database: Database) {
    this.#restoreTriggers = dropTriggers(database);
    for (const table of tablesOf(database)) {
      database.run(`DELETE FROM ${table}`);
      const columns = database
        .query(`SELECT name FROM pragma_table_info('${table}')`)
        .values()
        .flat() as string[];
      const statement = database.prepare(
        `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
      );
      this.#inserts.set(table, { columns, statement });
      this.counts[table] = 0;
    }
  }

  /** Stores a row. Returns the number of rows so far. */
  insert({ table, row }: ExportRow): number {
    const insert = this.#inserts.get(table);
    if (!insert)
      throw new Error(`The export has a table that its schema version has not: ${JSON.stringify(table)}`);
    const { columns, statement } = insert;
    if (Object.keys(row).length !== columns.length || !columns.every((column) => Object.hasOwn(row, column)))
      throw new Error(`A row of ${table} has other columns than its schema version`);
    statement.run(...columns.map((column) => fromJson(row[column])));
    this.counts[table]!++;
    return ++this.#count;
  }

  finish(): void {
    for (const { statement } of this.#inserts.values()) statement.finalize();
    this.#restoreTriggers();
  }
}
