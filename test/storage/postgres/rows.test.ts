/** Rows that are copied between the engines: others run between the steps, so that a backup does not stop a node. */

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { contentOf, copiedTables, rowsInSqlite } from "../../../src/storage/postgres/rows.ts";

test("others run between two steps of reading a table in SQLite", async () => {
  const database = new Database(":memory:", { strict: true });
  database.run("CREATE TABLE numbers (number INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT");
  const rows = 20_000;
  database.run(
    `INSERT INTO numbers WITH counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${rows}) SELECT n, 'text' FROM counted`,
  );
  let turns = 0;
  let is_over = false;
  const next = (): void => void (is_over || (turns++, setImmediate(next)));
  setImmediate(next);
  const [table] = copiedTables(database);
  let steps = 0;
  const found = await contentOf(table!, rowsInSqlite(database, table!), () => void steps++);
  is_over = true;
  expect(found.rows).toBe(rows);
  expect(steps).toBeGreaterThan(10);
  expect(turns).toBeGreaterThanOrEqual(steps - 1);
  database.close();
});
