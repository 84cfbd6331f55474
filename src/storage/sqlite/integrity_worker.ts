/** The integrity check thread: checks the database for damage, one table at a time, while the service runs. */

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
      outcome = { damage: damageIn(event.data as string) };
    } catch (error) {
      outcome = { error: errorText(error) };
    }
    port.postMessage(outcome);
  };
}

/**
 * The faults that `PRAGMA quick_check` finds. Checks each table in a separate read: a single read would block the reset of
 * the log for the whole check (about 4 seconds for each gigabyte).
 */
function damageIn(file: string): string[] {
  const { database } = new Connection(file, { readonly: true, busy_ms: 0 });
  const tables = database
    .query("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")
    .all() as { name: string }[];
  return tables.flatMap(({ name }) => {
    const check = database.prepare(`PRAGMA quick_check("${name}")`);
    try {
      const lines = (check.all() as { quick_check: string }[]).map((row) => row.quick_check);
      return lines.filter((line) => line !== "ok").slice(0, faults_max);
    } catch (error) {
      if (storageFailure(error) === error) throw error;
      return [`${name}: ${String(error)}`];
    } finally {
      check.finalize();
    }
  });
}
