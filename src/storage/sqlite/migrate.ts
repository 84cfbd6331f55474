/** Applies the migrations that a database is missing. */

import type { Database } from "bun:sqlite";
import { migrations } from "../migrations.ts";
import { newestSchema } from "./empty_database.ts" with { type: "macro" };
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

/** Rows that a migration moves at a time: about 6 MB of log. */
const piece_rows = 10_000;

/** A migration that moves the rows of a table in pieces: the statements before, the table, those that move a piece, and those after. */
const in_pieces = /^(.*)^-- In pieces of (\w+)\.$(.*)^-- After the pieces\.$(.*)$/ms;

/** Has the version of a migration that is not finished. Its number is that of the database: no earlier build continues with it. */
const unfinished = "unfinished_migration";

function unfinishedVersion(database: Database): number | null {
  if (!database.query(`SELECT 1 FROM sqlite_schema WHERE name = '${unfinished}'`).get()) return null;
  return (database.query(`SELECT version FROM ${unfinished}`).get() as { version: number }).version;
}

/**
 * Applies the missing migrations, up to version `to`. Call it inside a transaction. `commit`: commits it and begins another, between
 * two pieces of a migration that moves many rows: the next start continues there. If absent, all is one transaction. Throws a user-facing
 * error if one fails.
 */
export function migrate(database: Database, to = migrations.length, commit?: () => void): void {
  const found = schemaVersion(database);
  refuseNewer(found);
  if (found === 0 && to === migrations.length && isEmpty(database)) {
    database.run(newestSchema());
    return;
  }
  const begun = unfinishedVersion(database);
  for (let version = begun ?? found + 1; version <= to; version++) {
    try {
      apply(database, version, version === begun, commit);
    } catch (error) {
      const rest =
        unfinishedVersion(database) === null
          ? "The database is as it was: the build that wrote it can continue with it."
          : "The next start continues where this one ended. The build that wrote the database can continue with its copy beside it.";
      throw new Error(
        `The upgrade of the database from schema version ${found} failed at version ${version}: ${messageOf(error)}. ${rest}`,
        { cause: error },
      );
    }
  }
}

const isEmpty = (database: Database): boolean => !database.query("SELECT 1 FROM sqlite_schema").get();

function apply(
  database: Database,
  version: number,
  is_begun: boolean,
  commit: (() => void) | undefined,
): void {
  const sql = migrations[version - 1]!;
  const [, before, table, piece, after] = in_pieces.exec(sql) ?? [];
  if (table === undefined) database.run(sql);
  else {
    if (!is_begun) database.run(before!);
    if (commit && !is_begun) {
      database.run(`CREATE TABLE ${unfinished} AS SELECT ${version} AS version`);
      database.run(`PRAGMA user_version = ${version}`);
    }
    movePieces(database, table, piece!, commit);
    database.run(after!);
    if (commit) database.run(`DROP TABLE ${unfinished}`);
  }
  database.run(`PRAGMA user_version = ${version}`);
}

/** Runs `piece` until the table is empty, with `$through` as the seq of the last row of each. */
function movePieces(
  database: Database,
  table: string,
  piece: string,
  commit: (() => void) | undefined,
): void {
  const rows = database.query(
    `SELECT MAX(seq) AS through FROM (SELECT seq FROM ${table} ORDER BY seq LIMIT ${piece_rows})`,
  );
  // What is moved is in no file any more, also if it is withdrawn later.
  const { secure_delete } = database.query("PRAGMA secure_delete").get() as { secure_delete: number };
  database.query("PRAGMA secure_delete = ON").get();
  for (;;) {
    const { through } = rows.get() as { through: number | bigint | null };
    if (through === null) break;
    database.run(piece.replaceAll("$through", String(through)));
    commit?.();
  }
  rows.finalize();
  database.query(`PRAGMA secure_delete = ${secure_delete}`).get();
}
