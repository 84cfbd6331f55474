/** Creates the schema of a database, and applies the migrations that it is missing. Versions are the same as in SQLite. */

import type { ReservedSQL } from "bun";
import { systemRandom } from "../../core/random.ts";
import { messageOf } from "../../core/log.ts";
import { first_postgres_version as first_version, postgres_migrations as migrations } from "../migrations.ts";
import { refuseNewer } from "../schema_version.ts";
import { isConflict } from "./connection.ts";

/** A lock that one node at a time holds while it migrates: a number of our own. */
const migration_lock = 7_262_914_573_042n;

const attempts_max = 5;

/**
 * Brings the schema up to date, in one transaction; other nodes wait. Again, if it was in a circle of waits with the writes of a node of an
 * earlier release. Throws a user-facing error.
 */
export async function migrate(
  handle: ReservedSQL,
  schema: string | null,
  attempts = attempts_max,
): Promise<void> {
  try {
    await handle`BEGIN`;
    await handle`SELECT pg_advisory_xact_lock(${migration_lock})`;
    if (schema !== null) await handle.unsafe(`CREATE SCHEMA IF NOT EXISTS "${schema.replaceAll('"', '""')}"`);
    const found = await versionOf(handle);
    refuseNewer(found);
    for (const [i, sql] of migrations.entries()) {
      if (first_version + i > found) await handle.unsafe(sql);
    }
    await store(handle);
    await handle`COMMIT`;
  } catch (error) {
    await handle`ROLLBACK`.catch(() => undefined);
    if (isConflict(error) && attempts > 1) return migrate(handle, schema, attempts - 1);
    throw new Error(`The schema of the database cannot be brought up to date: ${messageOf(error)}.`, {
      cause: error,
    });
  }
}

/** The version of the schema; 0 if there is none. */
async function versionOf(handle: ReservedSQL): Promise<number> {
  const [found] = await handle`SELECT to_regclass('schema_version') IS NOT NULL AS exists`;
  if (!found.exists) return 0;
  const [row] = await handle`SELECT version FROM schema_version`;
  return row?.version ?? 0;
}

async function store(handle: ReservedSQL): Promise<void> {
  const version = first_version + migrations.length - 1;
  await handle`
    INSERT INTO schema_version (id, version, identity) VALUES (1, ${version}, ${systemRandom.bytes(4).toHex()})
    ON CONFLICT (id) DO UPDATE SET version = ${version}`;
}
