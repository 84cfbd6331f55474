/** `wharf copy`: an instance goes from a data directory into Postgres and back, and nothing is missing or different. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyToDirectory, copyToPostgres } from "../../../src/app/copy.ts";
import { tablesIn } from "../../support/exports.ts";
import { clockAfter, fixture_schemas, fixtureOf, placeFixture } from "../../support/fixtures.ts";
import { get, post } from "../../support/http.ts";
import { lacks_postgres, startPostgres, type PostgresServer } from "../../support/postgres_server.ts";
import { newDirectory, removeDirectory, startSource } from "../../support/service.ts";

describe.skipIf(lacks_postgres)("wharf copy", () => {
  const schema = fixture_schemas.at(-1)!;
  const fixture = fixtureOf(schema);
  let server: PostgresServer;
  let schemas = 0;
  let directory: string;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  const newDatabase = (): string => `${server.url}?schema=copy${++schemas}`;
  /** A data directory with everything that a release has stored, as its service left it. */
  async function newOriginal(): Promise<string> {
    directory = newDirectory();
    placeFixture(schema, directory);
    await (await startSource({ data_dir: directory, database: null }, clockAfter(fixture))).stop();
    return directory;
  }
  /** Progress of indexes and the place of the file are no data. */
  const rowsIn = (folder: string) => {
    const { search_progress: _progress, place: _place, ...tables } = tablesIn(join(folder, "wharf.db"));
    return tables;
  };

  test("there and back leaves every row of every table as it was", async () => {
    const original = await newOriginal();
    const before = rowsIn(original);
    const database = newDatabase();
    const there = await copyToPostgres(original, database);
    const copy = join(mkdtempSync(join(tmpdir(), "wharf-copy-")), "data");
    const back = await copyToDirectory(database, copy);
    expect(back).toEqual(there);
    expect(Object.values(there).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(50);
    expect(rowsIn(copy)).toEqual(before);
    removeDirectory(original);
    removeDirectory(join(copy, ".."));
  });

  test("an instance continues in Postgres: names open, receipts verify, rooms and numbers go on", async () => {
    const original = await newOriginal();
    const database = newDatabase();
    await copyToPostgres(original, database);
    const data_dir = newDirectory();
    const service = await startSource({ data_dir, database }, clockAfter(fixture));
    const { key, receipt } = fixture.claimed.ada;
    const whoami = await post(`${service.url}/api/name/whoami`, undefined, {
      authorization: `Bearer ${key}`,
    });
    expect(whoami).toMatchObject({ status: 200, body: { name: "ada" } });
    const verdict = await post(`${service.url}/receipt/verify`, { receipt });
    expect(verdict.body).toMatchObject({ verdict: "valid" });
    const rooms = await get<{ rooms: { slug: string; posts: number }[] }>(`${service.url}/api/meet/rooms`);
    const room = rooms.body.rooms[0]!;
    const posted = await post<{ n: number }>(`${service.url}/api/meet/rooms/${room.slug}/posts`, {
      name: "somebody new",
      body: "It goes on.",
    });
    expect(posted).toMatchObject({ status: 201, body: { n: room.posts + 1 } });
    expect(await post(`${service.url}/api/meet/rooms`, { goal: "Another", name: "x" })).toMatchObject({
      status: 201,
    });
    await service.stop();
    for (const folder of [original, data_dir]) removeDirectory(folder);
  });

  test("refuses a database that has rows, and a directory in use, of an older release, missing or not empty", async () => {
    const original = await newOriginal();
    const database = newDatabase();
    await copyToPostgres(original, database);
    expect(copyToPostgres(original, database)).rejects.toThrow(/is not empty: \w+ has rows/);
    expect(copyToDirectory(database, original)).rejects.toThrow("is not empty");
    expect(copyToPostgres(join(original, "none"), database)).rejects.toThrow("There is no wharf.db");
    const running = await startSource({ data_dir: original, database: null }, clockAfter(fixture), 2);
    expect(copyToPostgres(original, newDatabase())).rejects.toThrow("Another wharf is using");
    await running.stop();
    const older = newDirectory();
    placeFixture(fixture_schemas[0]!, older);
    expect(copyToPostgres(older, newDatabase())).rejects.toThrow("of an earlier release");
    const nowhere = join(older, "new");
    expect(copyToDirectory("postgres://127.0.0.1:1/none", nowhere)).rejects.toThrow("cannot be reached");
    await Bun.sleep(0);
    expect(existsSync(nowhere)).toBe(false);
    for (const folder of [original, older]) removeDirectory(folder);
  });
});
