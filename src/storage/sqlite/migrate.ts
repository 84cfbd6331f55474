/** Applies the migrations that a database is missing. */

import type { Database } from "bun:sqlite";
import { migrations } from "../migrations.ts";
import { messageOf } from "../../core/log.ts";

/** The schema version of a database: the number of applied migrations. */
export function schemaVersion(database: Database): number {
  const { user_version } = database.query("PRAGMA user_version").get() as { user_version: number | bigint };
  return Number(user_version);
}

/** Throws a user-facing error if a newer build wrote this schema version. */
export function refuseNewer(schema_version: number): void {
  if (schema_version <= migrations.length) return;
  throw new Error(
    `The database has schema version ${schema_version}; this build knows versions up to ${migrations.length}. ` +
      "Run the newer build that wrote it.",
  );
}

/** Applies the missing migrations, up to version `to`. Call it inside a transaction. Throws a user-facing error if one fails. */
export function migrate(database: Database, to = migrations.length): void {
  const found = schemaVersion(database);
  refuseNewer(found);
  for (let version = found; version < to; version++) {
    try {
      database.run(migrations[version]!);
      database.run(`PRAGMA user_version = ${version + 1}`);
    } catch (error) {
      const reason = messageOf(error);
      throw new Error(
        `The upgrade of the database from schema version ${found} failed at version ${version + 1}: ${reason}. ` +
          "The database is as it was: the build that wrote it can continue with it.",
        { cause: error },
      );
    }
  }
}
