/** A copied directory whose first start is killed, at any moment, starts again and holds what it held. */

import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fixture_schemas, placeFixture } from "../../support/fixtures.ts";
import { heldAfterStart, logWritten, runUntil } from "../../support/killed.ts";
import { testRandom } from "../../support/seed.ts";
import { newDirectory, removeDirectory } from "../../support/service.ts";

/** Of each fixture. */
const kills = Number(process.env.WHARF_TEST_KILLS ?? 2);

/** A directory as a copy of a stopped instance: the database, and its identity if it has one. */
function copied(schema: number): string {
  const directory = newDirectory();
  placeFixture(schema, directory);
  const identity = readFileSync(join(directory, "wharf.db")).readUInt32BE(68);
  const text = `${identity.toString(16).padStart(8, "0")}\n`;
  if (identity !== 0) writeFileSync(join(directory, "wharf.id"), text);
  return directory;
}

/** The tables whose rows differ, and the first row that only one has. */
const differing = (one: Record<string, string[]>, other: Record<string, string[]>): string =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])]
    .filter((table) => !Bun.deepEquals(one[table], other[table]))
    .map((table) => {
      const [here, there] = [one[table] ?? [], other[table] ?? []];
      const row = here.find((row) => !there.includes(row)) ?? there.find((row) => !here.includes(row));
      return `${table}: ${row}`;
    })
    .join(", ");

test(`starts a copy again after a kill in its first start, ${kills} times for each schema version`, async () => {
  const { below, oneOf } = testRandom("kills in the first start");
  for (const schema of fixture_schemas) {
    const sound = copied(schema);
    const begun = performance.now();
    const held = await heldAfterStart(sound);
    const start_ms = performance.now() - begun;
    removeDirectory(sound);
    for (let kill = 0; kill < kills; kill++) {
      const directory = copied(schema);
      const after = oneOf(["begin", "log"] as const);
      const delay_ms = below(after === "log" ? 40 : Math.ceil(start_ms));
      const begins = after === "log" ? logWritten(directory) : Promise.resolve();
      const args = ["serve", "--port", "0", "--data-dir", directory];
      await runUntil(
        args,
        begins.then(() => Bun.sleep(delay_ms)),
      );
      const outcome = await heldAfterStart(directory).then(
        (found) => differing(found, held) || "equal",
        String,
      );
      expect({ schema, after, delay_ms, outcome }).toEqual({ schema, after, delay_ms, outcome: "equal" });
      removeDirectory(directory);
    }
  }
  console.log(`${fixture_schemas.length} fixtures, ${kills} kills each, all started again`);
}, 600_000);
