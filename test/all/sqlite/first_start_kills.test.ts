/** A copied directory whose first start is killed, at any moment, starts again and holds what it held. */

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binary } from "../../support/binary.ts";
import { fixture_schemas, placeFixture } from "../../support/fixtures.ts";
import { testRandom } from "../../support/seed.ts";
import { newDirectory, removeDirectory, startBinary } from "../../support/service.ts";

/** Of each fixture. */
const kills = Number(process.env.WHARF_TEST_KILLS ?? 2);
/** These tables differ between two starts: they hold times, secrets that are drawn, and the place of the file. */
const own_tables = /^(?:beacon_|clock_mark$|place$|server_secret$|signing_keys$)/;

/** A directory as a copy of a stopped instance: the database, and its identity if it has one. */
function copied(schema: number): string {
  const directory = newDirectory();
  placeFixture(schema, directory);
  const identity = readFileSync(join(directory, "wharf.db")).readUInt32BE(68);
  const text = `${identity.toString(16).padStart(8, "0")}\n`;
  if (identity !== 0) writeFileSync(join(directory, "wharf.id"), text);
  return directory;
}

/** The rows of each table, and the keys that sign. */
function contentOf(directory: string): Record<string, unknown[]> {
  const database = new Database(join(directory, "wharf.db"), { readonly: true });
  const tables = database
    .query("SELECT name FROM pragma_table_list WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .values()
    .flat() as string[];
  const held = tables.filter((name) => !own_tables.test(name));
  const content = held.map((name) => [name, database.query(`SELECT * FROM "${name}"`).values()] as const);
  const keys = database.query("SELECT COUNT(*), COUNT(retired_at) FROM signing_keys").values();
  database.close();
  return { ...Object.fromEntries(content), keys };
}

/** Starts and stops a service. Returns what the directory holds then, and how long the start took. */
async function startedAndStopped(data_dir: string) {
  const begun = performance.now();
  const service = await startBinary({ data_dir });
  const ms = performance.now() - begun;
  await service.stop();
  return { content: contentOf(data_dir), ms };
}

/** The log has bytes for some milliseconds of a start only. */
const look_ms_max = 1_000;

/** Kills a start after `delay_ms`: after it has begun, or after the log was seen to have bytes. */
async function killStart(data_dir: string, after: "begin" | "log", delay_ms: number): Promise<void> {
  const child = Bun.spawn([binary(), "serve", "--port", "0", "--data-dir", data_dir], {
    stdout: "ignore",
    stderr: "ignore",
  });
  const log = join(data_dir, "wharf.db-wal");
  const end = performance.now() + (after === "log" ? look_ms_max : 0);
  while (performance.now() < end && !statSync(log, { throwIfNoEntry: false })?.size) await Bun.sleep(1);
  await Bun.sleep(delay_ms);
  child.kill("SIGKILL");
  await child.exited;
}

test(`starts a copy again after a kill in its first start, ${kills} times for each schema version`, async () => {
  const { below, oneOf } = testRandom("kills in the first start");
  for (const schema of fixture_schemas) {
    const sound = copied(schema);
    const { content, ms } = await startedAndStopped(sound);
    removeDirectory(sound);
    for (let kill = 0; kill < kills; kill++) {
      const directory = copied(schema);
      const after = oneOf(["begin", "log"] as const);
      const delay_ms = below(after === "log" ? 40 : Math.ceil(1.2 * ms));
      await killStart(directory, after, delay_ms);
      const found = await startedAndStopped(directory).then(
        (again) => (Bun.deepEquals(again.content, content) ? "equal" : "other rows"),
        (error: unknown) => String(error),
      );
      expect({ schema, after, delay_ms, found }).toEqual({ schema, after, delay_ms, found: "equal" });
      removeDirectory(directory);
    }
  }
  console.log(`${fixture_schemas.length} fixtures, ${kills} kills each, all started again`);
}, 600_000);
