/** Copies an instance into the other engine: from a data directory into Postgres, or from Postgres into a new data directory. */

import { Database } from "bun:sqlite";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { isThere } from "../core/failures.ts";
import { migrations } from "../storage/migrations.ts";
import { migrate } from "../storage/postgres/migrate.ts";
import { Pool } from "../storage/postgres/pool.ts";
import {
  copyFromSqlite,
  copyToSqlite,
  refuseFull as refuseRows,
  type RowCounts,
} from "../storage/postgres/sqlite_copy.ts";
import { writeBackup } from "../storage/sqlite/backup.ts";
import { isCopy, markAsCopy } from "../storage/sqlite/copies.ts";
import { checkDirectory, requireDatabase } from "../storage/sqlite/directory_check.ts";
import { lockDirectory, lockFile } from "../storage/sqlite/lock.ts";
import { refuseFull, removePartial } from "../storage/sqlite/unfinished.ts";

/** Runs `use` with a pool of connections to the database at `url`. Throws a user-facing error if it does not answer. */
async function withPool<Result>(url: string, use: (pool: Pool) => Promise<Result>): Promise<Result> {
  const pool = new Pool({ url, listen_url: null, connections_max: 2, prepares: true }, "wharf copy");
  await pool.check();
  return use(pool).finally(() => pool.close());
}

/** Throws a user-facing error if an instance has ever used the database at `url`: each has a key from its first start on. */
export const refuseUsed = (url: string): Promise<void> =>
  withPool(url, async (pool) => {
    await pool.with((handle) => migrate(handle, pool.schema));
    await pool.with((handle) => refuseRows(handle, "signing_keys"));
  });

/**
 * Copies the instance in `directory`, whose service must be stopped, into the empty database at `url`. The directory is a copy from
 * then on: if it is started again, it signs with a new key. If it was one before, the database is a copy, too. Returns the number
 * of rows of each table. Throws a user-facing error, and then changes nothing.
 */
export async function copyToPostgres(directory: string, url: string): Promise<RowCounts> {
  const file = join(directory, "wharf.db");
  requireDatabase(directory);
  const unlock = lockDirectory(directory);
  try {
    const { schema_version } = checkDirectory(directory);
    if (schema_version < migrations.length) {
      throw new Error(`${directory} is of an earlier release: start this one on it once, and stop it again.`);
    }
    const database = new Database(file, { readwrite: true });
    try {
      return await withPool(url, async (pool) => {
        await pool.with((handle) => migrate(handle, pool.schema), null);
        const is_copy = isCopy(database, file);
        const counts = await pool.with((handle) => copyFromSqlite(handle, database, is_copy), null);
        markAsCopy(database);
        return counts;
      });
    } finally {
      database.close();
    }
  } finally {
    unlock();
  }
}

const a_copy = "A copy";

/**
 * Copies what the database at `url` stores now into the new data directory `directory`. It is a copy, as a backup is. Returns
 * the number of rows of each table. Throws a user-facing error, and then leaves nothing.
 */
export async function copyToDirectory(url: string, directory: string): Promise<RowCounts> {
  const is_new = !isThere(directory);
  refuseFull(directory, a_copy);
  const unlock = lockDirectory(directory);
  let is_own = false;
  try {
    // Another copy may have ended meanwhile.
    refuseFull(directory, a_copy);
    is_own = true;
    const file = join(directory, "wharf.db");
    removePartial(file);
    let counts: RowCounts = {};
    await withPool(url, async (pool) => {
      await writeBackup(file, async (partial) => {
        counts = await pool.with((handle) => copyToSqlite(handle, partial), null);
      });
    });
    return counts;
  } catch (error) {
    if (is_own) rmSync(is_new ? directory : lockFile(directory), { recursive: true, force: true });
    throw error;
  } finally {
    unlock();
  }
}
