/** Copies all rows between Postgres and a file of SQLite, and compares them afterwards. */

import { Database } from "bun:sqlite";
import type { ReservedSQL } from "bun";
import { migrate } from "../sqlite/migrate.ts";
import { dropTriggers } from "../sqlite/triggers.ts";
import { PostgresTx } from "./connection.ts";
import { markAsCopy } from "./place.ts";
import {
  contentOf,
  copiedTables,
  rowsInPostgres,
  rowsInSqlite,
  storedValues,
  type CopiedTable,
  type Row,
} from "./rows.ts";

/** Number of rows of each table. */
export type RowCounts = Record<string, number>;

/**
 * Writes everything that is stored to the empty file `file`, as of one moment, and compares it. `signal` ends it early. Backups
 * and exports of Postgres are made of this file.
 */
export async function copyToSqlite(
  handle: ReservedSQL,
  file: string,
  signal?: AbortSignal,
): Promise<RowCounts> {
  const database = new Database(file, { strict: true });
  try {
    // Nobody reads this file before it is complete, and after a failure it is deleted.
    database.run("PRAGMA auto_vacuum = INCREMENTAL");
    database.run("PRAGMA journal_mode = MEMORY");
    database.run("PRAGMA synchronous = OFF");
    database.run("BEGIN");
    migrate(database);
    const restoreTriggers = dropTriggers(database);
    const counts: RowCounts = {};
    await handle`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`;
    for (const table of copiedTables(database)) {
      database.run(`DELETE FROM ${table.name}`);
      const insert = database.prepare(
        `INSERT INTO ${table.name} (${table.columns.join(", ")}) VALUES (${table.columns.map(() => "?").join(", ")})`,
      );
      const found = await contentOf(table, rowsInPostgres(handle, table), (rows) => {
        signal?.throwIfAborted();
        for (const row of rows) insert.run(...storedValues(table, row));
      });
      insert.finalize();
      await expectEqual(table, found, rowsInSqlite(database, table));
      counts[table.name] = found.rows;
    }
    await handle`COMMIT`;
    restoreTriggers();
    database.run("COMMIT");
    return counts;
  } catch (error) {
    await handle`ROLLBACK`.catch(() => undefined);
    throw error;
  } finally {
    database.close();
  }
}

/** Tables with a first row in every new database; it is replaced. */
const filled_at_first = ["counters"];

/** Tables whose rows are numbered by Postgres. */
const numbered = ["rooms", "posts", "jobs", "mcp_sessions", "audit"];

/**
 * Copies everything from `database`, which nobody changes, into Postgres, whose tables must be empty, in one transaction, and
 * compares it. `is_copy`: its original may be in use elsewhere. Throws a user-facing error.
 */
export async function copyFromSqlite(
  handle: ReservedSQL,
  database: Database,
  is_copy: boolean,
): Promise<RowCounts> {
  const counts: RowCounts = {};
  const tx = new PostgresTx(handle);
  try {
    await handle`BEGIN`;
    // The rows that triggers write are copied, too.
    await handle`ALTER TABLE mcp_sessions DISABLE TRIGGER USER`;
    for (const table of copiedTables(database)) {
      if (filled_at_first.includes(table.name)) await handle.unsafe(`DELETE FROM ${table.name}`);
      else await refuseFull(handle, table.name);
      const found = await contentOf(table, rowsInSqlite(database, table), (rows) =>
        tx.insertAll<Row>(table, rows),
      );
      await expectEqual(table, found, rowsInPostgres(handle, table));
      counts[table.name] = found.rows;
    }
    await handle`ALTER TABLE mcp_sessions ENABLE TRIGGER USER`;
    if (is_copy) await markAsCopy(handle);
    for (const name of numbered) {
      await handle.unsafe(
        `SELECT setval(pg_get_serial_sequence('${name}', 'seq'), GREATEST(MAX(seq), 1), MAX(seq) IS NOT NULL) FROM ${name}`,
      );
    }
    await handle`COMMIT`;
    return counts;
  } catch (error) {
    await handle`ROLLBACK`.catch(() => undefined);
    throw error;
  }
}

/** Throws a user-facing error if a table has rows. */
export async function refuseFull(handle: ReservedSQL, name: string): Promise<void> {
  const [row] = await handle.unsafe(`SELECT 1 FROM ${name} LIMIT 1`);
  if (row)
    throw new Error(
      `The database in Postgres is not empty: ${name} has rows. Name another, or another ?schema=.`,
    );
}

/** Throws unless a table has the same rows in the copy. */
async function expectEqual(
  table: CopiedTable,
  original: Awaited<ReturnType<typeof contentOf>>,
  copy: AsyncIterable<Row[]>,
): Promise<void> {
  const copied = await contentOf(table, copy);
  if (copied.rows === original.rows && copied.sha256 === original.sha256) return;
  throw new Error(
    `The copy of ${table.name} differs: ${original.rows} rows, and ${copied.rows} in the copy. Nothing was changed.`,
  );
}
