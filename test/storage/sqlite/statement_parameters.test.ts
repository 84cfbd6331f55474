/** The port's `$1` parameters are numbered, in any order within a statement. */

import { expect, test } from "bun:test";
import { Connection } from "../../../src/storage/sqlite/connection.ts";

test("binds a numbered parameter to its value, wherever it is in the statement", async () => {
  const connection = new Connection(":memory:", { busy_ms: 0 });
  expect(await connection.get("SELECT $2 AS second, $1 AS first, $2 AS again", "a", "b")).toEqual({
    second: "b",
    first: "a",
    again: "b",
  });
  connection.close();
});
