/** Backups for tests: a service whose storage can be backed up, and what a backup holds. */

import { Database } from "bun:sqlite";
import { openStorage, type AppStorage } from "../../src/app/storage.ts";
import type { DiskLimits } from "../../src/storage/sqlite/disk_budget.ts";
import { FakeClock } from "./clock.ts";
import { startSource, type SourceService, type TestSettings } from "./service.ts";

/** Starts a service. Returns its storage, too. */
export async function startWithStorage(
  settings: TestSettings = {},
  disk?: DiskLimits,
  clock = new FakeClock(),
): Promise<{ service: SourceService; storage: AppStorage }> {
  let storage: AppStorage;
  const service = await startSource(settings, clock, 1, async (directory, clock, log) => {
    storage = await openStorage(directory, clock, log, disk);
    return storage;
  });
  return { service, storage: storage! };
}

/** The bodies of all posts in a database file. */
export function bodiesIn(file: string): Set<string> {
  const database = new Database(file, { readonly: true });
  try {
    const rows = database.query("SELECT body FROM posts").all() as { body: string }[];
    return new Set(rows.map(({ body }) => body));
  } finally {
    database.close();
  }
}

/** What SQLite's own check says of a database file: `ok`. */
export function integrityOf(file: string): string {
  const database = new Database(file, { readonly: true });
  try {
    return (database.query("PRAGMA integrity_check").get() as { integrity_check: string }).integrity_check;
  } finally {
    database.close();
  }
}
