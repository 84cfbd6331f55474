/** A thread that looks through the database for damage, a table at a time, while the service runs. */

import { errorText } from "../../core/log.ts";
import { Connection, storageFailure } from "./connection.ts";

/** What the thread says, once. */
export type CheckOutcome = { damage: string[] } | { broke: string };

/** How many faults of a table are named. */
const faults_named = 20;

/** Waits for the path of a database file, then checks it and says what is wrong with it. */
export function serveCheck(port: {
  onmessage: ((event: MessageEvent) => void) | null;
  postMessage(message: unknown): void;
}): void {
  port.onmessage = (event) => {
    let outcome: CheckOutcome;
    try {
      outcome = { damage: damageIn(event.data as string) };
    } catch (error) {
      outcome = { broke: errorText(error) };
    }
    port.postMessage(outcome);
  };
}

/**
 * The faults that `PRAGMA quick_check` finds. Each table is a read of its own: one read of all of them would keep the log
 * from being reset for as long as the whole check takes (about 4 seconds for a gigabyte).
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
      return lines.filter((line) => line !== "ok").slice(0, faults_named);
    } catch (error) {
      if (storageFailure(error) === error) throw error;
      return [`${name}: ${String(error)}`];
    } finally {
      check.finalize();
    }
  });
}
