/** How SQLite runs statements, in a database with the latest schema. */

import { join } from "node:path";
import type { SqlValue } from "../../src/core/storage.ts";
import { Connection } from "../../src/storage/sqlite/connection.ts";
import { fixture_schemas, placeFixture } from "./fixtures.ts";
import { newDirectory, removeDirectory } from "./service.ts";

/** Runs `read`, and returns the plan of each statement that it gets all rows of, in lines. */
export async function plansOf(read: (tx: Connection) => Promise<unknown>): Promise<string[][]> {
  const directory = newDirectory();
  placeFixture(fixture_schemas.at(-1)!, directory);
  const connection = new Connection(join(directory, "wharf.db"), { busy_ms: 0 });
  const statements = new Map<string, SqlValue[]>();
  const recorded = new Proxy(connection, {
    get: (target, member: keyof Connection) =>
      member === "all"
        ? (sql: string, ...values: SqlValue[]) => {
            statements.set(sql, values);
            return target.all(sql, ...values);
          }
        : target[member],
  });
  try {
    await read(recorded);
    return [...statements].map(([sql, values]) =>
      connection.database
        .query<{ detail: string }, SqlValue[]>(`EXPLAIN QUERY PLAN ${sql.replace(/\$(\d+)/g, "?$1")}`)
        .all(...values)
        .map(({ detail }) => detail),
    );
  } finally {
    connection.close();
    removeDirectory(directory);
  }
}
