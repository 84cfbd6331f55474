/** Applies the migrations that a database is missing. */

import type { Database } from "bun:sqlite";
import { migrations } from "../migrations.ts";
import { refuseNewer } from "../schema_version.ts";
import { messageOf } from "../../core/log.ts";

/** The schema version of a database: the number of applied migrations. */
export function schemaVersion(database: Database): number {
  const { user_version } = database.query("PRAGMA user_version").get() as { user_version: number | bigint };
  return Number(user_version);
}

/** Writes page 1 of an open database without a change of its content. */
export const rewriteFirstPage = (database: Database): void =>
  void database.run(`PRAGMA user_version = ${schemaVersion(database)}`);

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
