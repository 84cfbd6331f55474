/** Exports of database files for tests. */

import { Database } from "bun:sqlite";
import { exportPieces } from "../../src/storage/export/writer.ts";
import { importInto, type Imported } from "../../src/storage/export/import.ts";

export const exported_at = "2026-03-01T12:00:00.000Z";

/** The export of a database file. */
export function exportOf(file: string, with_secrets = true): string {
  const database = new Database(file, { readonly: true, safeIntegers: true });
  try {
    return [...exportPieces(database, { with_secrets, at: exported_at, wharf: "0.0.0" })].join("");
  } finally {
    database.close();
  }
}

/** `bytes` in pieces of `length`, as they come from a file or a connection. */
export async function* inPieces(bytes: Uint8Array, length = 60_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

/** Imports `text` into `directory`. */
export const importText = (directory: string, text: string | Uint8Array): Promise<Imported> =>
  importInto(directory, inPieces(typeof text === "string" ? Buffer.from(text) : text));

/** The rows of all tables that have their own rows, without search indexes, in an order of their own. */
export function tablesIn(file: string): Record<string, string[]> {
  const database = new Database(file, { readonly: true, safeIntegers: true });
  const names = database
    .query(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'",
    )
    .values()
    .flat() as string[];
  const rowsOf = (name: string) =>
    database
      .query(`SELECT * FROM "${name}"`)
      .all()
      .map((row) =>
        JSON.stringify(row, (_, value: unknown) => (typeof value === "bigint" ? `${value}n` : value)),
      )
      .sort();
  const tables = Object.fromEntries(names.sort().map((name) => [name, rowsOf(name)]));
  database.close();
  return tables;
}
