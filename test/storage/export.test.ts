/** Exports and imports of databases: equal on the other side, or refused. */

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { migrations } from "../../src/storage/migrations.ts";
import { endLine } from "../../src/storage/export/format.ts";
import { never_exported, without_secrets } from "../../src/storage/export/tables.ts";
import { migrate } from "../../src/storage/sqlite/migrate.ts";
import { exportOf, exported_at, importText, tablesIn } from "../support/exports.ts";
import { fixture_schemas, fixtureDatabase, fixtureOf, placeFixture } from "../support/fixtures.ts";
import { testRandom } from "../support/seed.ts";
import { newDirectory, removeDirectory } from "../support/service.ts";

const latest = migrations.length;
const root = newDirectory();
afterAll(() => removeDirectory(root));
let made = 0;
const place = (): string => join(root, `place-${++made}`);
const fileIn = (directory: string) => join(directory, "wharf.db");

/** The rows that an export has. */
function exportedTables(file: string): Record<string, string[]> {
  const tables = tablesIn(file);
  for (const table of never_exported) delete tables[table];
  return tables;
}

let original: string;
let whole: string;
beforeAll(() => {
  original = place();
  mkdirSync(original);
  placeFixture(latest, original);
  whole = exportOf(fileIn(original));
});

const lines = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, never>);

describe("an export with secrets", () => {
  test("has a header, a line for each row, grouped by table, and an end with the numbers of rows", () => {
    const [header, ...others] = lines(whole);
    expect(header as object).toEqual({
      format: "wharf-export",
      format_version: 1,
      wharf: "0.0.0",
      schema: latest,
      at: exported_at,
      with_secrets: true,
    });
    const end = others.pop() as unknown as { end: { rows: Record<string, number> } };
    const tables = others.map(({ table }) => table as unknown as string);
    expect(tables).toEqual(tables.toSorted());
    const counted = Object.entries(exportedTables(fileIn(original))).map(([table, rows]) => [
      table,
      rows.length,
    ]);
    expect(end.end.rows).toEqual(Object.fromEntries(counted));
  });

  test("becomes an equal database", async () => {
    const directory = place();
    const imported = await importText(directory, whole);
    expect(exportedTables(fileIn(directory))).toEqual(exportedTables(fileIn(original)));
    expect(imported.rows.posts).toBeGreaterThan(5);
    expect(statSync(fileIn(directory)).mode & 0o077).toBe(0);
    expect(exportOf(fileIn(directory))).toBe(whole);
  });

  test("has integers of 64 bits and any text exactly", async () => {
    const { seed } = testRandom("texts of an export");
    const text = fc.string({ unit: "binary" }).filter((text) => text.isWellFormed() && !text.includes("\0"));
    const integer = fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n);
    const unusual = ["\u2028\u2029\u0085", '"\\\n\r\t', '{"end":1}\n', "👩‍🚀\u{10ffff}\ufeff", ""];
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(text, integer), { maxLength: 30 }), async (rows) => {
        const [from, to] = [place(), place()];
        mkdirSync(from);
        const database = new Database(fileIn(from));
        database.transaction(() => migrate(database))();
        database.run("DELETE FROM counters");
        const insert = database.prepare("INSERT OR IGNORE INTO counters (name, value) VALUES (?, ?)");
        for (const [name, value] of [...rows, ...unusual.map((text) => [text, 2n ** 53n + 1n] as const)])
          insert.run(name, value);
        insert.finalize();
        database.close();
        const before = exportedTables(fileIn(from));
        expect(before.counters!.length).toBeGreaterThanOrEqual(unusual.length);
        await importText(to, exportOf(fileIn(from)));
        expect(exportedTables(fileIn(to))).toEqual(before);
        removeDirectory(from);
        removeDirectory(to);
      }),
      { numRuns: 25, seed },
    );
  }, 60_000);

  test.each(fixture_schemas)(
    "of schema version %d becomes the database that an upgrade makes",
    async (schema) => {
      const [old, imported] = [place(), place()];
      mkdirSync(old);
      writeFileSync(fileIn(old), fixtureDatabase(schema));
      await importText(imported, exportOf(fileIn(old)));
      const database = new Database(fileIn(old));
      database.transaction(() => migrate(database))();
      database.close();
      expect(exportedTables(fileIn(imported))).toEqual(exportedTables(fileIn(old)));
    },
  );
});

describe("an import is refused, and leaves nothing,", () => {
  const refused = async (text: string | Uint8Array): Promise<string> => {
    const directory = place();
    const says = await importText(directory, text).then(
      () => "imported",
      (error: Error) => error.message,
    );
    expect([says, existsSync(directory)]).toEqual([says, false]);
    return says;
  };

  test("if the file is cut off anywhere", async () => {
    const bytes = Buffer.from(whole);
    const random = testRandom("cut exports");
    const ends = [0, 1, bytes.length - 1, bytes.lastIndexOf("\n", -2) + 1, bytes.lastIndexOf("\n", -2)];
    for (const end of [...ends, ...Array.from({ length: 40 }, () => random.below(bytes.length))])
      expect([end, await refused(bytes.subarray(0, end))]).toEqual([
        end,
        expect.stringMatching(/^The export is (?:cut off|empty)\. Nothing was imported\.$/),
      ]);
  }, 60_000);

  test("if any byte of it is another one", async () => {
    const bytes = Buffer.from(whole);
    const random = testRandom("changed exports");
    const last_line = bytes.lastIndexOf("\n", -2) + 1;
    const of_the_end = Array.from({ length: 30 }, () => last_line + random.below(bytes.length - last_line));
    for (const at of [...of_the_end, ...Array.from({ length: 60 }, () => random.below(bytes.length))]) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1 << random.below(8);
      expect([at, await refused(changed)]).not.toEqual([at, "imported"]);
    }
  }, 60_000);

  test("if something follows its end", async () => {
    expect(await refused(`${whole}\n`)).toBe("The export continues after its end. Nothing was imported.");
    expect(await refused(whole + whole)).toContain("continues after its end");
  });

  test("if it is none, or of a newer build", async () => {
    expect(await refused("hello\n")).toBe("Line 1 is not that of an export. Nothing was imported.");
    expect(await refused("{}\n")).toContain("This is not an export of Wharf");
    const newer = whole.replace(`"schema":${latest}`, `"schema":${latest + 1}`);
    expect(await refused(newer)).toContain(
      `The export has schema version ${latest + 1}; this build knows versions up to ${latest}.`,
    );
    const format = whole.replace('"format_version":1', '"format_version":2');
    expect(await refused(format)).toContain("The export has format version 2; this build reads 1");
  });

  test("if its rows do not fit the schema or each other", async () => {
    const without = (pattern: RegExp) => {
      const [header, ...rows] = whole.trimEnd().split("\n").slice(0, -1);
      const left = rows.filter((row) => !pattern.test(row));
      return { header: header!, left };
    };
    const sealed = (header: string, rows: string[]): string => {
      const body = [header, ...rows].map((row) => `${row}\n`).join("");
      const counts: Record<string, number> = {};
      for (const row of rows) {
        const { table } = JSON.parse(row) as { table: string };
        counts[table] = (counts[table] ?? 0) + 1;
      }
      return body + endLine(counts, new Bun.CryptoHasher("sha256").update(body));
    };
    const { header, left } = without(/^{"table":"rooms"/);
    expect(await refused(sealed(header, left))).toContain(
      "A row of room_members refers to a row of rooms that is not there",
    );
    const all = without(/(?!)/);
    for (const [row, says] of [
      ['{"table":"sqlite_schema","row":{"type":"table"}}', "a table that its schema version has not"],
      ['{"table":"search_data","row":{"id":1}}', "a table that its schema version has not"],
      ['{"table":"counters","row":{"name":"a"}}', "has other columns"],
      ['{"table":"counters","row":{"name":"a","value":1,"more":1}}', "has other columns"],
      ['{"table":"counters","row":{"name":"a","value":true}}', "a value of an unknown kind"],
      ['{"table":"counters","row":{"name":"a","value":"b"}}', "cannot store TEXT value in INTEGER column"],
      ['{"table":"counters","row":{"name":"slots","value":1}}', "UNIQUE constraint failed"],
    ] as const)
      expect(await refused(sealed(all.header, [...all.left, row]))).toContain(says);
  });

  test("if its directory has files already", async () => {
    const directory = place();
    mkdirSync(directory);
    writeFileSync(join(directory, "notes.txt"), "");
    expect(importText(directory, whole)).rejects.toThrow(
      `${directory} is not empty: it has notes.txt. An import goes only into a missing or empty directory`,
    );
    expect(readdirSync(directory)).toEqual(["notes.txt"]);
  });
});

describe("an export without secrets", () => {
  test("is decided on for every table and column of the schema", () => {
    const database = new Database();
    migrate(database);
    const columns = database
      .query(
        "SELECT t.name, c.name FROM pragma_table_list t JOIN pragma_table_info(t.name) c WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite_%'",
      )
      .values() as [string, string][];
    const by_table = Map.groupBy(columns, ([table]) => table);
    const decided = Object.keys(without_secrets);
    expect([...decided, ...never_exported].sort()).toEqual([...by_table.keys()].sort());
    for (const [table, rule] of Object.entries(without_secrets)) {
      if ("left_out" in rule) continue;
      const listed = [...rule.columns.split(" "), ...Object.keys(rule.instead ?? {})];
      expect([table, listed.sort()]).toEqual([
        table,
        by_table
          .get(table)!
          .map(([, column]) => column)
          .sort(),
      ]);
    }
  });

  test("holds no value that is not listed", () => {
    const text = exportOf(fileIn(original), false);
    const shown = new Set(lines(text).flatMap(({ row }) => Object.values((row ?? {}) as object)));
    const database = new Database(fileIn(original));
    const hidden = Object.entries(without_secrets).flatMap(([table, rule]) => {
      const columns = "left_out" in rule ? ["*"] : Object.keys(rule.instead ?? {});
      const of_rows =
        !("left_out" in rule) && rule.where ? [`SELECT * FROM ${table} WHERE NOT (${rule.where})`] : [];
      const queries = [
        ...of_rows,
        ...(columns.length > 0 ? [`SELECT ${columns.join(", ")} FROM ${table}`] : []),
      ];
      return queries.flatMap((sql) => database.query(sql).values().flat());
    });
    // Ids of owners, kinds and times are also in other rows. Much may happen in a second.
    const secrets = hidden
      .filter((value): value is string => typeof value === "string" && value.length > 12)
      .filter((value) => !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(value));
    const leaked = secrets.filter(
      (value) => !shown.has(value) && text.includes(JSON.stringify(value).slice(1, -1)),
    );
    expect(leaked).toEqual([]);
    const known = secrets.filter((value) => shown.has(value) && !/^\d{4}-\d\d-\d\dT/.test(value));
    // Notes name the public room that they are about, the audit log a deleted room (nobody else gets its slug) and a network.
    const public_values =
      "SELECT slug FROM deleted_rooms UNION SELECT network FROM bans UNION SELECT reason FROM bans";
    const listed = database.query(public_values).values().flat();
    expect(
      known.filter((value) => !listed.includes(value) && value !== fixtureOf(latest).rooms.open),
    ).toEqual([]);
    expect(secrets.length).toBeGreaterThan(40);
    expect(text).toContain("By what they are for.");
    for (const hidden of ["Only for ada.", "Just us"]) {
      expect(whole).toContain(hidden);
      expect(text).not.toContain(hidden);
    }
  });

  test("can be imported, and has all values of its rows but those that open, sign or count what is left out", async () => {
    const [from, to] = [place(), place()];
    mkdirSync(from);
    placeFixture(latest, from);
    const database = new Database(fileIn(from));
    // Every column has a value in a row, so that one which is dropped is missed.
    const at = exported_at;
    database.run("UPDATE rooms SET removed_until = ?1, removed_at = ?1, removed_because = 'posts'", [at]);
    database.run('UPDATE rooms SET pace = \'{"after":1,"slowed":[1]}\', slowed_until = ?1', [at]);
    database.run("UPDATE deleted_rooms SET because = 'posts'");
    database.run("UPDATE posts SET quiet = 1 WHERE n = 1");
    database.run("UPDATE slots SET expires_at = ?1", [at]);
    database.run("UPDATE jobs SET redacted = 'operator' WHERE state = 'withdrawn'");
    database.run("INSERT INTO beacon_gaps (first, last) VALUES (1, 2)");
    for (const table of ["bans", "name_rules"]) database.run(`UPDATE ${table} SET until = ?1`, [at]);
    const others: Record<string, string[]> = {
      rooms: ["host_key_sha256"],
      counters: ["value"],
      deleted_rooms: ["room", "is_empty"],
      names: ["key_sha256", "previous_key_sha256", "recovery_sha256"],
      signing_keys: ["d", "retired_at"],
    };
    await importText(to, exportOf(fileIn(from), false));
    const imported = new Database(fileIn(to));
    for (const table of Object.keys(exportedTables(fileIn(to)))) {
      const rowsOf = (database: Database) =>
        (database.query(`SELECT * FROM ${table}`).all() as Record<string, unknown>[]).map((row) =>
          Object.fromEntries(Object.entries(row).filter(([name]) => !others[table]?.includes(name))),
        );
      const [was, is] = [rowsOf(database), rowsOf(imported)];
      expect([table, is.filter((row) => !was.some((one) => Bun.deepEquals(one, row)))]).toEqual([table, []]);
      const empty = Object.keys(is[0] ?? {}).filter((name) => is.every((row) => row[name] === null));
      expect([table, empty]).toEqual([table, []]);
    }
    database.close();
    imported.close();
  });

  test("can be imported, counts what it has, and has no key that signs", async () => {
    const directory = place();
    const imported = await importText(directory, exportOf(fileIn(original), false));
    expect(imported).toMatchObject({
      with_secrets: false,
      rows: { beacon_days: 0, rooms: 2, slots: 1, server_secret: 0 },
    });
    const database = new Database(fileIn(directory));
    const counted = (sql: string) => database.query(sql).values()[0];
    expect(counted("SELECT value FROM counters WHERE name = 'slots'")).toEqual([1]);
    expect(counted("SELECT COUNT(*), SUM(retired_at IS NULL), MAX(d) FROM signing_keys")).toEqual([1, 0, ""]);
    expect(counted("SELECT COUNT(key_sha256), MAX(recovery_sha256) FROM names")).toEqual([0, ""]);
    database.close();
  });
});
