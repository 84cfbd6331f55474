/** A restore, an import or a copy that is killed, at any moment, leaves nothing, everything, or a directory that is refused. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { binary } from "../../support/binary.ts";
import { fixture_schemas, placeFixture } from "../../support/fixtures.ts";
import { heldAfterStart, runUntil } from "../../support/killed.ts";
import { lacks_postgres, startPostgres, type PostgresServer } from "../../support/postgres_server.ts";
import { testRandom } from "../../support/seed.ts";
import { newDirectory, removeDirectory } from "../../support/service.ts";

/** Of each command. */
const kills = Number(process.env.WHARF_TEST_KILLS ?? 4);
const root = newDirectory();
let server: PostgresServer | undefined;

/** The arguments of the commands, without the directory that each makes. */
const backup = join(root, "backup");
const exported = join(root, "export.jsonl");
type Command = [name: string, args: () => string[]];
const commands: Command[] = [
  ["restore", () => ["restore", backup, "--data-dir"]],
  ["restore of a compressed backup", () => ["restore", `${backup}.zst`, "--data-dir"]],
  ["import", () => ["import", exported, "--data-dir"]],
  ...(lacks_postgres ? [] : ([["copy", () => ["copy", "--from", server!.url, "--to"]]] satisfies Command[])),
];

/** Runs a command, which must succeed. */
async function run(...args: string[]): Promise<void> {
  const { exitCode, stderr } = await Bun.$`${binary()} ${args}`.quiet().nothrow();
  expect([exitCode, exitCode === 0 ? "" : stderr.toString()]).toEqual([0, ""]);
}

beforeAll(async () => {
  const original = join(root, "original");
  await run("restore", await fixtureBackup(), "--data-dir", original);
  await run("backup", backup, "--data-dir", original);
  await run("backup", `${backup}.zst`, "--compress", "--data-dir", original);
  await run("export", exported, "--with-secrets", "--data-dir", original);
  if (lacks_postgres) return;
  server = await startPostgres();
  await run("copy", "--from", original, "--to", server.url);
}, 60_000);
afterAll(async () => {
  await server?.stop();
  removeDirectory(root);
});

/** The latest fixture as a backup, so that it holds something in each table. */
async function fixtureBackup(): Promise<string> {
  const directory = newDirectory();
  placeFixture(fixture_schemas.at(-1)!, directory);
  return join(directory, "wharf.db");
}

test.each(commands)(
  `%s: starts with everything or refuses, after each of ${kills} kills`,
  async (name, args) => {
    const { below } = testRandom(`kills of ${name}`);
    const outcomes = { nothing: 0, everything: 0, refused: 0 };
    const sound = join(root, `${name}-sound`);
    const begun = performance.now();
    await run(...args(), sound);
    const run_ms = performance.now() - begun;
    const held = await heldAfterStart(sound);
    for (let kill = 0; kill < kills; kill++) {
      const directory = join(root, `${name}-${kill}`);
      const delay_ms = below(Math.ceil(run_ms));
      await runUntil([...args(), directory], Bun.sleep(delay_ms));
      const is_partial = existsSync(join(directory, "wharf.db.partial"));
      const has_database = existsSync(join(directory, "wharf.db"));
      outcomes[has_database ? "everything" : is_partial ? "refused" : "nothing"]++;
      if (is_partial && !has_database) {
        const outcome = await heldAfterStart(directory).then(() => "served", String);
        expect(outcome).toContain(`is missing, but ${join(directory, "wharf.db.partial")} is there`);
      }
      // The command can be repeated as it was.
      if (!has_database) await run(...args(), directory);
      expect({ delay_ms, held: await heldAfterStart(directory) }).toEqual({ delay_ms, held });
      removeDirectory(directory);
    }
    console.log(`${name}: ${JSON.stringify(outcomes)} after ${kills} kills within ${run_ms.toFixed(0)} ms`);
  },
);
