/** Brings a database file to the schema that this build knows, and refuses one that is newer. */

import { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { migrations } from "../migrations.ts";

/** The schema version of a database: the number of migrations that were applied to it. */
export function schemaVersion(database: Database): number {
  return (database.query("PRAGMA user_version").get() as { user_version: number }).user_version;
}

/** Throws when a newer build wrote the database in `file`. It is only looked at: even its log stays as it is. */
export function refuseNewer(file: string): void {
  if (!existsSync(file)) return;
  const database = new Database(file, { readonly: true });
  try {
    const found = schemaVersion(database);
    if (found <= migrations.length) return;
    throw new Error(
      `The database has schema version ${found}; this build knows versions up to ${migrations.length}. ` +
        "Run the newer build that wrote it.",
    );
  } finally {
    database.close();
  }
}

/** Applies the migrations that are missing, each in a transaction of its own. */
export function migrate(database: Database): void {
  for (let version = schemaVersion(database); version < migrations.length; version++) {
    database.transaction(() => {
      database.run(migrations[version]!);
      database.run(`PRAGMA user_version = ${version + 1}`);
    })();
  }
}
