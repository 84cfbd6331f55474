/** The migrations: from every schema version since 0.1.0 they lead to the same schema and the same rows. */

import { Database } from "bun:sqlite";
import { afterAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { indexNext } from "../../../src/rooms/indexing_store.ts";
import { differenceText } from "../../../src/storage/schema_difference.ts";
import { Connection } from "../../../src/storage/sqlite/connection.ts";
import { migrate } from "../../../src/storage/sqlite/migrate.ts";
import { schemaDifference } from "../../../src/storage/sqlite/schema.ts";
import { fixture_schemas, fixtureDatabase } from "../../support/fixtures.ts";
import { newDirectory, removeDirectory } from "../../support/service.ts";

const directory = newDirectory();
afterAll(() => {
  for (const database of opened.values()) database.close();
  removeDirectory(directory);
});

const opened = new Map<string, Database>();

/** A fixture as the older code left it, or after the missing migrations. */
function databaseOf(schema: number, state: "made" | "migrated"): Database {
  const path = join(directory, `${schema}-${state}`);
  const known = opened.get(path);
  if (known) return known;
  writeFileSync(path, fixtureDatabase(schema));
  const database = new Database(path);
  opened.set(path, database);
  if (state === "migrated") database.transaction(() => migrate(database))();
  return database;
}

const rowsOf = (database: Database, sql: string): unknown[] => database.query(sql).values();

/** What was created with which SQL, apart from white space and comments. */
const schemaOf = (database: Database): unknown[] =>
  rowsOf(database, "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name").map((row) =>
    (row as (string | null)[]).map((text) => text?.replace(/--.*$/gm, "").replace(/\s+/g, " ") ?? null),
  );

/** What the fixtures have in common: all but ids, keys and times. */
const comparable = {
  rooms:
    "SELECT goal, host, host_claimed, visibility, posts, closed_at IS NULL FROM rooms WHERE goal NOT LIKE 'Moderated%' AND goal NOT IN ('', 'Too fast?', 'Members only', 'Called')",
  posts:
    "SELECT n, posts.name, claimed, redacted, in_reply_to_n, in_reply_to IS NULL FROM posts WHERE posts.name NOT IN ('Mallory', 'Hasty')",
  bodies: "SELECT n, body FROM posts WHERE body NOT LIKE '%👩‍🚀%' AND name NOT IN ('Mallory', 'Hasty')",
  counters: "SELECT name, value FROM counters WHERE value <> 0",
  names:
    "SELECT canonical, name, look, key_sha256 IS NULL FROM names WHERE canonical NOT IN ('admln', 'wharf-admin', 'сара', 'accepts', 'fails')",
  slots: "SELECT owner, slot, bytes, public, version, value, expires_at IS NULL FROM slots",
  jobs: "SELECT title, detail, state, claim_no, poster, holder, result, verdict, reason, lease_expires_at IS NULL FROM jobs",
  job_tags: "SELECT tag, title FROM job_tags JOIN jobs ON job = seq",
  notes: "SELECT owner, kind, room IS NULL FROM notes WHERE owner NOT IN ('accepts', 'fails')",
  mailboxes:
    "SELECT owner, last_seq, read_through, dropped_through FROM mailboxes WHERE owner NOT IN ('accepts', 'fails')",
  sessions: "SELECT address, handshake, json_array_length(json_group_array(subscriptions)) FROM mcp_sessions",
  session_counts: "SELECT SUM(sessions) FROM mcp_session_counts",
  answers: "SELECT (SELECT COUNT(*) FROM answers) + (SELECT COUNT(*) > 0 FROM idempotent_answers) > 0",
  signing_keys: "SELECT COUNT(*), SUM(retired_at IS NULL) FROM signing_keys",
  beacon_secrets: "SELECT COUNT(*) FROM beacon_secrets",
  beacon_days: "SELECT COUNT(*), SUM(prev IS NULL), MIN(rounds) FROM beacon_days",
  beacon_mark: "SELECT COUNT(*) FROM beacon_mark",
  beacon_anchors: "SELECT COUNT(*) FROM beacon_anchors",
};

/** Tables that the code of a schema version does not write. */
const unwritten = (schema: number): string[] => [
  ...(schema > 10 ? ["answers"] : []),
  ...(schema > 19 ? ["beacon_gaps"] : []),
  // One node needs no row about which node makes the calls.
  ...(schema > 33 ? ["webhook_caller"] : []),
];

describe.each(fixture_schemas)("schema version %d", (schema) => {
  test("has rows in every table, as the older code wrote them", () => {
    const database = databaseOf(schema, "made");
    const tables = rowsOf(
      database,
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0",
    ).flat() as string[];
    const empty = tables.filter((table) => rowsOf(database, `SELECT 1 FROM "${table}" LIMIT 1`).length === 0);
    expect(empty.filter((table) => !unwritten(schema).includes(table))).toEqual([]);
  });

  test("becomes the schema of a new database", () => {
    const fresh = new Database();
    migrate(fresh);
    expect(schemaOf(databaseOf(schema, "migrated"))).toEqual(schemaOf(fresh));
  });

  test.each(Object.entries(comparable))("has the same rows of %s as the latest", (_, sql) => {
    const sorted = (database: Database) => rowsOf(database, sql).map(String).sort();
    expect(sorted(databaseOf(schema, "migrated"))).toEqual(
      sorted(databaseOf(fixture_schemas.at(-1)!, "migrated")),
    );
  });
});

test("words of removed posts that the index of version 24 still has leave it", () => {
  const path = join(directory, "removed-words");
  writeFileSync(path, fixtureDatabase(24));
  const database = new Database(path);
  opened.set(path, database);
  const holds = (word: string) =>
    (rowsOf(database, "SELECT block FROM search_data") as [Uint8Array][]).some(([block]) =>
      Buffer.from(block).includes(word),
    );
  const words = ["nixenwort", "undine"];
  for (const [i, word] of words.entries()) {
    database.run("INSERT INTO search (rowid, text, room) VALUES (?1, ?2, 'room1')", [9_000 + i, word]);
  }
  // A run of retention that had not ended.
  database.run("INSERT INTO search (search, rank) VALUES ('secure-delete', 0)");
  database.run(
    "INSERT INTO search (search, rowid, text, room) VALUES ('delete', 9000, 'nixenwort', 'room1')",
  );
  database.run("INSERT INTO search (search, rank) VALUES ('secure-delete', 1)");
  database.run("INSERT INTO search_progress (source, through_seq) VALUES ('merge', 1)");
  expect(words.map(holds)).toEqual([true, true]);
  database.transaction(() => migrate(database, 25))();
  expect(words.map(holds)).toEqual([false, true]);
  expect(rowsOf(database, "SELECT * FROM search_progress WHERE source = 'merge'")).toEqual([]);
  database.run("INSERT INTO search (search) VALUES ('integrity-check')");
});

test("the index of version 26 is filled again, from its beginning", async () => {
  const path = join(directory, "filled-again");
  writeFileSync(path, fixtureDatabase(25));
  const tx = new Connection(path, { busy_ms: 0 });
  opened.set(path, tx.database);
  const count = async (sql: string) => (await tx.get<{ count: number }>(sql))!.count;
  const indexed = await count("SELECT COUNT(*) AS count FROM search_docsize");
  expect(indexed).toBeGreaterThan(0);
  tx.database.transaction(() => migrate(tx.database))();
  expect(await tx.all("SELECT source FROM search_progress")).toEqual([{ source: "jobs" }]);
  const hits = "SELECT COUNT(*) AS count FROM search WHERE search MATCH";
  expect(await count(`${hits} 'things'`)).toBe(0);
  while (await indexNext(tx));
  expect(await count(`${hits} 'things'`)).toBe(1);
  // The words of the group of a document: each has one.
  expect(await count(`${hits} '"#room" *'`)).toBe(indexed);
  tx.database.run("INSERT INTO search (search) VALUES ('integrity-check')");
});

test.each(fixture_schemas)(
  "version %d has the schema that it is compared with, also when it is upgraded",
  (schema) => {
    for (const state of ["made", "migrated"] as const)
      expect(differenceText(schemaDifference(databaseOf(schema, state)))).toBeNull();
  },
);
