/** The port's `$1` parameters are numbered, whatever the order in which they stand in a statement. */

import { expect, test } from "bun:test";
import { Connection } from "../../src/storage/sqlite/connection.ts";

test("a parameter is the value of its number, wherever it stands", async () => {
  const connection = new Connection(":memory:", { busy_ms: 0 });
  expect(await connection.get("SELECT $2 AS second, $1 AS first, $2 AS again", "a", "b")).toEqual({
    second: "b",
    first: "a",
    again: "b",
  });
  connection.close();
});
