/** A service with an eighth feature, tallies: what app/ would say of it, and a writer thread with its command. */

import { Database } from "bun:sqlite";
import { join } from "node:path";
import { declarations } from "../../src/app/commands.ts";
import { all_features, type FeatureSet } from "../../src/app/features.ts";
import { openStorage, startSearches, type AppStorage } from "../../src/app/storage.ts";
import { systemClock } from "../../src/core/clock.ts";
import { functionsOf, overBudget, type CommandRunner } from "../../src/core/commands.ts";
import { joined } from "../../src/core/feature.ts";
import type { Log } from "../../src/core/log.ts";
import { checkKey, countCommand } from "../../src/names/commands.ts";
import { identityOf } from "../../src/names/names.ts";
import { openSqlite } from "../../src/storage/sqlite/engine.ts";
import { serveWrites } from "../../src/storage/sqlite/worker_loop.ts";
import type { FakeClock } from "./clock.ts";
import migration from "./tallies/migration.sql" with { type: "text" };
import { tallyFeature, type TallyCommands } from "./tallies/feature.ts";
import { createTallies } from "./tallies/tallies.ts";
import { tallyTransports } from "./tallies/transports.ts";

export const tally_feature = tallyFeature({ checkKey, countCommand });
const declared = joined([...declarations, tally_feature]);

export const with_tallies: FeatureSet = {
  declared,
  async create(deps) {
    const created = await all_features.create(deps);
    // The type of the runner knows the commands of the seven features only.
    const commands = deps.commands as unknown as CommandRunner<TallyCommands>;
    return {
      ...created,
      features: [...created.features, tallyTransports(createTallies({ ...deps, commands, identityOf }))],
    };
  },
};

/** Opens the storage with the table and the command of tallies. */
export async function openWithTallies(directory: string, clock: FakeClock, log: Log): Promise<AppStorage> {
  const file = join(directory, "wharf.db");
  await (await openStorage(directory, clock, log)).close();
  const database = new Database(file);
  if (!database.query("SELECT 1 FROM sqlite_schema WHERE name = 'tallies'").get()) database.run(migration);
  database.close();
  const startWriter = () => new Worker(import.meta.url);
  return openSqlite({ directory, startWriter, startSearches, clock, log });
}

if (!Bun.isMainThread) {
  serveWrites(
    globalThis as unknown as Parameters<typeof serveWrites>[0],
    functionsOf(declared.commands),
    declared.chores,
    systemClock,
    (name) => overBudget(declared.commands, name),
  );
}
