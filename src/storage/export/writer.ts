/** Writes an export: reads a database that nobody changes, table by table, in pieces of bounded size. */

import type { Database } from "bun:sqlite";
import type { ExportOptions } from "../../core/storage.ts";
import { schemaVersion } from "../sqlite/migrate.ts";
import {
  endLine,
  export_format,
  export_format_version,
  toJson,
  type ExportHeader,
  type RowCounts,
} from "./format.ts";
import { never_exported, without_secrets } from "./tables.ts";

/** Size of a piece in characters, without the row that completes it. */
const piece_length = 16 * 1024;

/** The tables of a database, without the tables of SQLite and of its full-text search. */
export const tablesOf = (database: Database): string[] =>
  database
    .query(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    .values()
    .flat() as string[];

/**
 * The pieces of an export of `database`, which must return integers as bigint (`safeIntegers`). `wharf`: the version of the
 * program; `at`: the ISO time of the copy.
 */
export function* exportPieces(
  database: Database,
  { with_secrets, at, wharf }: ExportOptions,
): Generator<string> {
  const hash = new Bun.CryptoHasher("sha256");
  const rows: RowCounts = {};
  const header: ExportHeader = {
    format: export_format,
    format_version: export_format_version,
    wharf,
    schema: schemaVersion(database),
    at,
    with_secrets,
  };
  let piece = `${JSON.stringify(header)}\n`;
  const tables = tablesOf(database).filter((table) => !never_exported.includes(table));
  for (const table of tables) {
    const sql = with_secrets ? `SELECT * FROM ${table}` : selectWithoutSecrets(table);
    if (sql === null) continue;
    rows[table] = 0;
    const statement = database.prepare(sql);
    try {
      for (const row of statement.iterate(...(sql.includes("$at") ? [{ $at: at }] : []))) {
        rows[table]++;
        piece += `{"table":"${table}","row":${JSON.stringify(row, toJson)}}\n`;
        if (piece.length < piece_length) continue;
        hash.update(piece);
        yield piece;
        piece = "";
      }
    } finally {
      statement.finalize();
    }
  }
  hash.update(piece);
  yield piece + endLine(rows, hash);
}

/** Selects the part of a table that an export without secrets has; null if it has nothing of it. */
function selectWithoutSecrets(table: string): string | null {
  const rule = without_secrets[table];
  if (!rule) throw new Error(`It is not decided what an export without secrets has of the table ${table}.`);
  if ("left_out" in rule) return null;
  const instead = Object.entries(rule.instead ?? {}).map(([column, sql]) => `${sql} AS ${column}`);
  const columns = [...rule.columns.split(" "), ...instead].join(", ");
  return `SELECT ${columns} FROM ${table}${rule.where ? ` WHERE ${rule.where}` : ""}`;
}
