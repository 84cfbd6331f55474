/** `wharf keys rotate`: signs receipts with a new key. Receipts signed with earlier keys stay valid. */

import type { Config } from "../core/settings.ts";
import { openStorageOf } from "../app/storage.ts";
import { newKey } from "../receipts/keys.ts";
import { allKeys } from "../receipts/store.ts";
import { requireDatabase } from "../storage/sqlite/directory_check.ts";
import type { Runtime } from "../core/runtime.ts";

/**
 * Rotates the key in the data directory of a stopped service, or in a database in Postgres, whose nodes continue with the new
 * key. Returns the kids of the new and of the retired key. Throws a user-facing error if a service is running in the directory
 * or the directory has no database.
 */
export async function rotateKeys(
  config: Config,
  { clock, random, log }: Runtime,
): Promise<{ kid: string; retired: string | null }> {
  const { data_dir, database } = config;
  if (database === null) requireDatabase(data_dir);
  const storage = await openStorageOf(config, { clock, log });
  try {
    const retired = (await storage.read(allKeys))[0]?.kid ?? null;
    const key = newKey(random);
    await storage.write("receipts.add_key", { key, replaces: retired, now_ms: clock.now() });
    return { kid: key.kid, retired };
  } finally {
    await storage.close();
  }
}
