/** Brings a database file to the schema that this build knows. */

import type { Database } from "bun:sqlite";
import { migrations } from "../migrations.ts";

/** The schema version of a database: the number of migrations that were applied to it. */
export function schemaVersion(database: Database): number {
  return (database.query("PRAGMA user_version").get() as { user_version: number }).user_version;
}

/** Throws when a newer build wrote a database with this schema version. */
export function refuseNewer(schema_version: number): void {
  if (schema_version <= migrations.length) return;
  throw new Error(
    `The database has schema version ${schema_version}; this build knows versions up to ${migrations.length}. ` +
      "Run the newer build that wrote it.",
  );
}

/** Applies the migrations that are missing. The caller has begun a transaction. */
export function migrate(database: Database): void {
  const found = schemaVersion(database);
  refuseNewer(found);
  for (let version = found; version < migrations.length; version++) {
    database.run(migrations[version]!);
    database.run(`PRAGMA user_version = ${version + 1}`);
  }
}
