/** Brings a database file to the schema that this build knows, and refuses one that is newer. */

import type { Database } from "bun:sqlite";
import { migrations } from "../migrations.ts";

/** The schema version of a database: the number of migrations that were applied to it. */
export function schemaVersion(database: Database): number {
  return (database.query("PRAGMA user_version").get() as { user_version: number }).user_version;
}

/** Applies what is missing, each step in a transaction of its own. Throws, before touching anything, on a newer file. */
export function migrate(database: Database): void {
  const found = schemaVersion(database);
  if (found > migrations.length) {
    throw new Error(
      `The database has schema version ${found}; this build knows versions up to ${migrations.length}. ` +
        "Run the newer build that wrote it.",
    );
  }
  for (let version = found; version < migrations.length; version++) {
    database.transaction(() => {
      database.run(migrations[version]!);
      database.run(`PRAGMA user_version = ${version + 1}`);
    })();
  }
}
