/** The integrity check thread: checks the database for damage, one table at a time, while the service runs. */

import type { Database } from "bun:sqlite";
import { errorText } from "../../core/log.ts";
import { Connection, storageFailure } from "./connection.ts";

/** The one message that the thread posts: the faults found, or why the check failed. */
export type CheckOutcome = { damage: string[] } | { error: string };

/** Most faults reported for one table. */
const faults_max = 20;

/** Receives the path of a database file, checks the file and posts a `CheckOutcome`. */
export function serveCheck(port: {
  onmessage: ((event: MessageEvent) => void) | null;
  postMessage(message: unknown): void;
}): void {
  port.onmessage = (event) => {
    let outcome: CheckOutcome;
    try {
      const { database } = new Connection(event.data as string, { readonly: true, busy_ms: 0 });
      outcome = { damage: damageIn(database, "quick_check") };
    } catch (error) {
      outcome = { error: errorText(error) };
    }
    port.postMessage(outcome);
  };
}

/**
 * The faults that a pragma of SQLite finds: `quick_check`, or `integrity_check`, which compares the indexes, too. Checks each table in a separate read: a single read would block the reset of
 * the log for the whole check (about 4 seconds for each gigabyte).
 */
export function damageIn(database: Database, pragma: "quick_check" | "integrity_check"): string[] {
  const tables = database
    .query("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")
    .all() as { name: string }[];
  return tables.flatMap(({ name }) => {
    const check = database.prepare(`PRAGMA ${pragma}("${name}")`);
    try {
      const lines = (check.all() as Record<string, string>[]).map((row) => row[pragma]!);
      return lines.filter((line) => line !== "ok").slice(0, faults_max);
    } catch (error) {
      if (storageFailure(error) === error) throw error;
      return [`${name}: ${String(error)}`];
    } finally {
      check.finalize();
    }
  });
}
