/** Which engine the services under test use: SQLite, or the Postgres that TEST_DATABASE names. */

import { test } from "bun:test";
import type { Config } from "../../src/core/settings.ts";

const test_database = process.env["TEST_DATABASE"];

/** Whether the services under test use Postgres. */
export const is_on_postgres = test_database !== undefined;

/** The settings for the database of a data directory: a schema of its own in Postgres; none for SQLite. */
export function databaseOf(directory: string): Partial<Config> {
  if (test_database === undefined) return {};
  const url = new URL(test_database);
  url.searchParams.set("schema", `t${Bun.hash.wyhash(directory).toString(36)}`);
  return { database: url.href, database_connections: 5 };
}

/** A test that holds for SQLite only; on Postgres a line says why. docs/testing.md lists them. */
export function testOfSqlite(
  name: string,
  reason: string,
  run: () => Promise<void>,
  is_skipped = false,
): void {
  if (is_on_postgres) console.log(`ONLY WITH SQLITE: ${name}: ${reason}`);
  else test.skipIf(is_skipped)(name, run);
}
