/** A copy of a database in Postgres, made by any tool, does not sign with the keys of the original, which may still be in use. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyToPostgres } from "../../../src/app/copy.ts";
import { markAsCopy } from "../../../src/storage/sqlite/copies.ts";
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { get } from "../../support/http.ts";
import { lacks_postgres, startPostgres, type PostgresServer } from "../../support/postgres_server.ts";
import { newDirectory, removeDirectory, startSource, type TestSettings } from "../../support/service.ts";

const data_dir = newDirectory();
afterAll(() => removeDirectory(data_dir));

describe.skipIf(lacks_postgres)("a copy in Postgres", () => {
  let server: PostgresServer;
  /** The keys of the original. */
  let keys: string[];
  let nodes = 0;
  beforeAll(async () => {
    server = await startPostgres();
    await make("CREATE DATABASE original");
    keys = await keysAt("original");
  });
  afterAll(() => server.stop());

  const at = (name: string): string => server.url.replace("/postgres", `/${name}`);
  async function make(statement: string): Promise<void> {
    const sql = new Bun.SQL(server.url, { max: 1 });
    await sql.unsafe(statement);
    await sql.close();
  }

  /** The keys of the nodes that start at once on a database; the one that signs comes first. */
  async function keysAt(name: string, settings: TestSettings = {}, count = 1): Promise<string[]> {
    const started = Array.from({ length: count }, () =>
      startSource(
        { data_dir: join(data_dir, `${++nodes}`), database: at(name), ...settings },
        undefined,
        nodes,
      ),
    );
    const services = await Promise.all(started);
    const read = services.map(async ({ url }) => {
      const { body } = await get<{ keys: { kid: string }[] }>(`${url}/.well-known/jwks.json`);
      return body.keys.map(({ kid }) => kid);
    });
    const [first, ...others] = await Promise.all(read);
    for (const other of others) expect(other).toEqual(first!);
    for (const service of services) await service.stop();
    return first!;
  }

  test("is no copy when it is started again", async () => {
    expect(await keysAt("original", {}, 2)).toEqual(keys);
  });

  test("gets one new key, also if four nodes start on it at once", async () => {
    await make("CREATE DATABASE copied TEMPLATE original");
    const own = await keysAt("copied", {}, 4);
    expect(own).toHaveLength(keys.length + 1);
    expect(own).toEqual(expect.arrayContaining(keys));
    expect(await keysAt("copied")).toEqual(own);
  });

  test("is none if four nodes start at once on an empty database: they have one key", async () => {
    await make("CREATE DATABASE empty");
    expect(await keysAt("empty", {}, 4)).toHaveLength(1);
  });

  test("is the original after a start with --moved", async () => {
    await make("CREATE DATABASE moved TEMPLATE original");
    expect(await keysAt("moved", { moved: true })).toEqual(keys);
    expect(await keysAt("moved")).toEqual(keys);
  });

  test.each([
    ["is one if the directory that was copied into Postgres was a copy", true],
    ["is none if the directory was the original", false],
  ])("%s", async (_, is_copy) => {
    const directory = join(data_dir, `copied-${is_copy}`);
    await (await startSource({ data_dir: directory, database: null })).stop();
    if (is_copy) {
      const database = new Database(join(directory, "wharf.db"));
      markAsCopy(database);
      database.close();
    }
    const name = `from_sqlite_${is_copy}`;
    await make(`CREATE DATABASE ${name}`);
    await copyToPostgres(directory, at(name));
    expect(await keysAt(name)).toHaveLength(is_copy ? 2 : 1);
  });
});
