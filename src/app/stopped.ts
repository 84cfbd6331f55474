/** The app over the data directory of a stopped service, for the owner's commands: it listens nowhere. */

import type { Config } from "../core/settings.ts";
import { requireDatabase } from "../storage/sqlite/directory_check.ts";
import type { Ingress } from "../web/ingress.ts";
import { createApp } from "./app.ts";
import { hostInUrl } from "./browser_urls.ts";
import { openStorageOf } from "./storage.ts";
import type { Runtime } from "../core/runtime.ts";

interface StoppedApp {
  /** Answers a request of the owner. */
  fetchForOwner: Ingress;
  /** Closes the storage. */
  close(): Promise<void>;
}

/**
 * Opens the data directory, which no service may be using, or the database in Postgres, which others may use. Throws a user-facing
 * error.
 * There is no disk budget: the owner may be about to free space.
 */
export async function openStopped(config: Config, deps: Runtime): Promise<StoppedApp> {
  const { data_dir, database } = config;
  if (database === null) requireDatabase(data_dir);
  const storage = await openStorageOf(config, deps);
  try {
    const app = await createApp({
      ...deps,
      config,
      storage,
      origin: () => `http://${hostInUrl(config.host)}:${config.port}`,
      urls: () => [],
      peer: () => "unknown",
      setIdleSeconds: () => undefined,
    });
    return {
      fetchForOwner: app.fetchForOwner,
      async close() {
        app.close();
        await storage.close();
      },
    };
  } catch (error) {
    await storage.close();
    throw error;
  }
}
