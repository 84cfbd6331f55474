/** Rows of whole tables, for copies between SQLite and Postgres: read in bounded steps, and compared by a hash of their values. */

import type { Database } from "bun:sqlite";
import type { ReservedSQL } from "bun";
import { systemClock } from "../../core/clock.ts";
import type { SqlValue } from "../../core/storage.ts";
import { bytesOf, idText, type Packed } from "../packed.ts";
import { tablesOf } from "../export/writer.ts";
import { PostgresTx } from "./connection.ts";

/** Rows that are read and written at a time. Between two steps others run. */
const rows_per_step = 500;

/** Tables that each engine makes anew: the progress of full-text indexes, and the place of the file. */
const not_copied = ["search_progress", "place"];

export interface CopiedTable {
  name: string;
  columns: string[];
  /** The columns of 16 bytes: here their values are UUIDs as text, whatever they are. */
  packed: string[];
  /** The columns that distinguish its rows, for an order that both engines have. */
  key: string[];
}

/** The tables that are copied, those first that others refer to. */
export function copiedTables(database: Database): CopiedTable[] {
  const names = tablesOf(database).filter((name) => !not_copied.includes(name));
  const ordered: string[] = [];
  const add = (name: string): void => {
    if (ordered.includes(name)) return;
    const referred = database
      .query(`SELECT "table" FROM pragma_foreign_key_list('${name}')`)
      .values()
      .flat() as string[];
    for (const other of referred) if (other !== name) add(other);
    ordered.push(name);
  };
  for (const name of names) add(name);
  return ordered.map((name) => {
    const columns = database.query(`SELECT name, pk, type FROM pragma_table_info('${name}')`).values() as [
      string,
      number,
      string,
    ][];
    return {
      name,
      columns: columns.map(([column]) => column),
      packed: columns.flatMap(([column, , type]) => (type === "BLOB" ? column : [])),
      key: columns
        .filter(([, pk]) => pk > 0)
        .sort(([, a], [, b]) => a - b)
        .map(([column]) => column),
    };
  });
}

export type Row = Record<string, SqlValue>;

const selectOf = ({ name, columns, key }: CopiedTable): string =>
  `SELECT ${columns.join(", ")} FROM ${name} ORDER BY ${key.join(", ")}`;

/** The rows of a table in Postgres, in steps, as the transaction of `handle` sees them. */
export async function* rowsInPostgres(handle: ReservedSQL, table: CopiedTable): AsyncGenerator<Row[]> {
  // A cursor, so that the table need not fit into memory.
  await handle.unsafe(`DECLARE copied NO SCROLL CURSOR FOR ${selectOf(table)}`);
  const tx = new PostgresTx(handle);
  for (;;) {
    const rows = await tx.all<Row>(`FETCH ${rows_per_step} FROM copied`);
    if (rows.length > 0) yield rows;
    if (rows.length < rows_per_step) break;
  }
  await handle`CLOSE copied`;
}

/** The rows of a table in SQLite, in steps. */
export async function* rowsInSqlite(database: Database, table: CopiedTable): AsyncGenerator<Row[]> {
  const statement = database.prepare(selectOf(table));
  let rows: Row[] = [];
  for (const row of statement.iterate() as Iterable<Row>) {
    for (const column of table.packed) row[column] &&= idText(row[column] as Packed);
    rows.push(row);
    if (rows.length < rows_per_step) continue;
    yield rows;
    rows = [];
    await systemClock.turn();
  }
  if (rows.length > 0) yield rows;
  statement.finalize();
}

/** The values of a row as SQLite stores them, in the order of the columns. */
export const storedValues = ({ columns, packed }: CopiedTable, row: Row): SqlValue[] =>
  columns.map((column) =>
    packed.includes(column) && row[column] ? bytesOf(row[column] as string) : row[column]!,
  );

/** What a table holds: how many rows, and the SHA-256 of their values in the order of their keys. */
interface Content {
  rows: number;
  sha256: string;
}

/** Reads all rows of a table. `onRows` gets them as well. */
export async function contentOf(
  table: CopiedTable,
  steps: AsyncIterable<Row[]>,
  onRows: (rows: Row[]) => Promise<void> | void = () => {},
): Promise<Content> {
  const hash = new Bun.CryptoHasher("sha256");
  let count = 0;
  for await (const rows of steps) {
    for (const row of rows) hash.update(`${JSON.stringify(table.columns.map((column) => row[column]))}\n`);
    count += rows.length;
    await onRows(rows);
  }
  return { rows: count, sha256: hash.digest("hex") };
}
