/** The schema of a database file, compared with the schema of its version. */

import { Database } from "bun:sqlite";
import { compareSchemas, type SchemaDifference, type SchemaObject } from "../schema_difference.ts";
import { migrate, schemaVersion } from "./migrate.ts";

/** Without the tables that ANALYZE fills (https://www.sqlite.org/fileformat2.html, section 2.6.3). */
const objectsOf = (database: Database): SchemaObject[] =>
  database
    .query(
      "SELECT type AS kind, name, COALESCE(sql, tbl_name) AS definition FROM sqlite_schema " +
        "WHERE NOT (type = 'table' AND name GLOB 'sqlite_stat[1-4]') ORDER BY kind, name",
    )
    .all() as SchemaObject[];

/**
 * How the schema of `database` differs from the schema of its version, which the migrations make in memory. A database keeps the
 * statements as they were written, so the texts are equal. Reads the schema only. Throws if it is damaged, or newer than this build.
 */
export function schemaDifference(database: Database): SchemaDifference {
  const expected = new Database(":memory:");
  try {
    migrate(expected, schemaVersion(database));
    return compareSchemas(objectsOf(database), objectsOf(expected));
  } finally {
    expected.close();
  }
}
