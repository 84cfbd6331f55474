/** Copies a database in Postgres into a file of SQLite: what `wharf backup`, `wharf restore` and exports work with. */

import { Database } from "bun:sqlite";
import type { ReservedSQL } from "bun";
import type { SqlValue } from "../../core/storage.ts";
import { tablesOf } from "../export/writer.ts";
import { migrate } from "../sqlite/migrate.ts";
import { PostgresTx } from "./connection.ts";

/** Rows that are read at a time. Between two readings others run. */
const rows_per_step = 500;

/** Tables that are made anew: the progress of full-text indexes, and the place of the file. */
const not_copied = ["search_progress", "place"];

/** Writes everything that is stored to the empty file `file`, as of one moment. `signal` ends it early. */
export async function copyToSqlite(handle: ReservedSQL, file: string, signal: AbortSignal): Promise<void> {
  const database = new Database(file, { strict: true });
  try {
    // Nobody reads this file before it is complete, and after a failure it is deleted.
    database.run("PRAGMA auto_vacuum = INCREMENTAL");
    database.run("PRAGMA journal_mode = MEMORY");
    database.run("PRAGMA synchronous = OFF");
    database.run("BEGIN");
    migrate(database);
    const triggers = takeTriggers(database);
    await handle`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`;
    for (const table of tablesOf(database)) {
      if (!not_copied.includes(table)) await copyTable(handle, database, table, signal);
    }
    await handle`COMMIT`;
    for (const sql of triggers) database.run(sql);
    database.run("COMMIT");
  } catch (error) {
    await handle`ROLLBACK`.catch(() => undefined);
    throw error;
  } finally {
    database.close();
  }
}

/** Drops the triggers, whose effects are copied, too. Returns their SQL. */
function takeTriggers(database: Database): string[] {
  const triggers = database.query("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").values() as [
    string,
    string,
  ][];
  for (const [name] of triggers) database.run(`DROP TRIGGER ${name}`);
  return triggers.map(([, sql]) => sql);
}

async function copyTable(
  handle: ReservedSQL,
  database: Database,
  table: string,
  signal: AbortSignal,
): Promise<void> {
  const columns = database
    .query(`SELECT name FROM pragma_table_info('${table}')`)
    .values()
    .flat() as string[];
  const list = columns.join(", ");
  database.run(`DELETE FROM ${table}`);
  const insert = database.prepare(
    `INSERT INTO ${table} (${list}) VALUES (${columns.map(() => "?").join(", ")})`,
  );
  // A cursor, so that the table need not fit into memory.
  await handle.unsafe(`DECLARE rows_of_table NO SCROLL CURSOR FOR SELECT ${list} FROM ${table}`);
  const tx = new PostgresTx(handle, () => Promise.resolve(0));
  for (let count = rows_per_step; count === rows_per_step;) {
    signal.throwIfAborted();
    const rows = await tx.all<Record<string, SqlValue>>(`FETCH ${rows_per_step} FROM rows_of_table`);
    for (const row of rows) insert.run(...columns.map((column) => row[column]!));
    count = rows.length;
  }
  await handle`CLOSE rows_of_table`;
  insert.finalize();
}
