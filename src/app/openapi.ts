/** The OpenAPI document of this version without a service: made from the routes of an app whose empty database is in memory. */

import type { Config } from "../core/settings.ts";
import { openSingleThread } from "../storage/sqlite/single_thread.ts";
import type { OpenApi } from "../web/openapi/document.ts";
import { createApp } from "./app.ts";
import { chores, commands, searches, type AppCommands, type AppSearches } from "./commands.ts";
import type { Runtime } from "../core/runtime.ts";

/** Returns the document that a service with the settings of `config` serves at `base`. Writes no file. */
export async function describeApi(
  config: Config,
  base: string,
  { clock, random, log }: Runtime,
): Promise<OpenApi> {
  const storage = openSingleThread<AppCommands, AppSearches>({
    directory: config.data_dir,
    in_memory: true,
    commands,
    searches,
    chores,
    clock,
  });
  const app = await createApp({
    config,
    storage,
    clock,
    random,
    log,
    origin: () => base,
    urls: () => [],
    peer: () => "127.0.0.1",
    setIdleSeconds: () => {},
  });
  try {
    return app.openApi(base);
  } finally {
    app.close();
    await storage.close();
  }
}
