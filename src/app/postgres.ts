/** Opens a database in Postgres with the commands of the service, which run in this process. */

import { hostname } from "node:os";
import type { CommandDefinitions } from "../core/commands.ts";
import type { Meter } from "../core/meter.ts";
import type { Log } from "../core/log.ts";
import type { Config } from "../core/settings.ts";
import type { Storage } from "../core/storage.ts";
import { makeDirectory } from "../storage/sqlite/durable.ts";
import { openPostgres } from "../storage/postgres/engine.ts";
import {
  chores,
  command_definitions,
  commands,
  searches,
  type AppCommands,
  type AppSearches,
} from "./commands.ts";
import { process_id } from "./libc.ts";

const definitions: CommandDefinitions = command_definitions;

/**
 * Opens the database of `config`; creates the data directory, for the admin socket and backups. `startBackup` starts a worker that runs
 * `serveBackup`. Throws a user-facing error.
 */
export async function openPostgresOf(
  config: Config,
  log: Log,
  meter?: Meter,
  startBackup?: () => Worker,
): Promise<Storage<AppCommands, AppSearches>> {
  makeDirectory(config.data_dir);
  return openPostgres<AppCommands, AppSearches>({
    directory: config.data_dir,
    ...(startBackup && { startBackup }),
    place: {
      url: config.database!,
      listen_url: config.database_hints ? (config.database_listen ?? config.database!) : null,
      connections_max: config.database_connections,
      prepares: config.database_prepares,
      node: `${process_id}@${hostname()}`,
    },
    commands,
    searches,
    chores,
    is_moved: config.moved,
    orderingOf: (name) => definitions[name] ?? {},
    log,
    meter,
  });
}
