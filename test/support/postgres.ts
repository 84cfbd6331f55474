/** Which engine the services under test use: SQLite, or the Postgres that WHARF_TEST_DATABASE names. */

import type { Config } from "../../src/core/settings.ts";

const test_database = process.env["WHARF_TEST_DATABASE"];

/** Whether the services under test use Postgres. */
export const is_on_postgres = test_database !== undefined;

/** The settings for the database of a data directory: a schema of its own in Postgres; none for SQLite. */
export function databaseOf(directory: string): Partial<Config> {
  if (test_database === undefined) return {};
  const url = new URL(test_database);
  url.searchParams.set("schema", `t${Bun.hash.wyhash(directory).toString(36)}`);
  return { database: url.href, database_connections: 5 };
}
