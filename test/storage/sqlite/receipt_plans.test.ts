/** How SQLite runs the statements of the list of receipts: each is a search by name and time, however much a name has done. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { SqlValue } from "../../../src/core/storage.ts";
import { jobsOfNameBefore } from "../../../src/jobs/name_lists_store.ts";
import { postsOfAuthor, roomsOfAuthor } from "../../../src/rooms/authored/store.ts";
import { Connection } from "../../../src/storage/sqlite/connection.ts";
import { fixture_schemas, placeFixture } from "../../support/fixtures.ts";
import { newDirectory, removeDirectory } from "../../support/service.ts";

let directory: string;
let connection: Connection;
beforeAll(() => {
  directory = newDirectory();
  placeFixture(fixture_schemas.at(-1)!, directory);
  connection = new Connection(join(directory, "wharf.db"), { busy_ms: 0 });
});
afterAll(() => {
  connection.close();
  removeDirectory(directory);
});

test("reads no more of a name than a page needs: each statement searches an index in its order", async () => {
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
  const before: [string, number] = ["2100-01-01T00:00:00.000Z", 5];
  const lists = ["had_accepted", "accepted", "delivered", "posted"] as const;
  for (const list of lists) await jobsOfNameBefore(recorded, list, "ada", before, 10);
  await roomsOfAuthor(recorded, "ada", "2026-01-01T00:00:00.000Z", before, 10);
  await postsOfAuthor(recorded, "ada", "2026-01-01T00:00:00.000Z", before, 10);
  const plans = [...statements].map(([sql, values]) =>
    connection.database
      .query<{ detail: string }, SqlValue[]>(`EXPLAIN QUERY PLAN ${sql.replace(/\$(\d+)/g, "?$1")}`)
      .all(...values)
      .map(({ detail }) => detail),
  );
  expect(plans.flat().filter((line) => /SCAN|B-TREE/.test(line))).toEqual([]);
  const indexes = plans.map(([line = ""]) => /USING INDEX (\w+)/.exec(line)?.[1]);
  expect(indexes).toEqual([
    "jobs_had_accepted",
    "jobs_accepted",
    "jobs_delivered_at",
    "jobs_posted_at",
    "rooms_author",
    "posts_author",
  ]);
});
