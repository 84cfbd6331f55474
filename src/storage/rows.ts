/** Statements that are made of a row, whose members are its columns, and the number of rows. */

import type { SqlValue, Tx } from "../core/storage.ts";

type Statement = [sql: string, ...values: SqlValue[]];

/** Inserts a row. `ending`: the end of the statement. */
export function insertOf(table: string, row: object, ending = ""): Statement {
  const columns = Object.keys(row);
  const places = columns.map((_, i) => `$${i + 1}`).join(", ");
  const sql = `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${places}) ${ending}`;
  return [sql, ...(Object.values(row) as SqlValue[])];
}

/** Inserts a row, or replaces the one with the same values in the columns `key`. */
export function upsertOf<Row extends object>(
  table: string,
  row: Row,
  ...key: (keyof Row & string)[]
): Statement {
  const others = Object.keys(row).filter((column) => !(key as string[]).includes(column));
  const set = others.map((column) => `${column} = excluded.${column}`).join(", ");
  return insertOf(table, row, `ON CONFLICT (${key.join(", ")}) DO UPDATE SET ${set}`);
}

/** The number of rows. `from`: the statement from `FROM` on. */
export const countRows = async (tx: Tx, from: string, ...values: SqlValue[]): Promise<number> =>
  (await tx.get<{ count: number }>(`SELECT COUNT(*) AS count ${from}`, ...values))!.count;
