/** Triggers, while whole tables are filled: their effects are among the rows. */

import type { Database } from "bun:sqlite";

/** Drops all triggers. Returns the function that creates them again. */
export function dropTriggers(database: Database): () => void {
  const triggers = database.query("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").values() as [
    string,
    string,
  ][];
  for (const [name] of triggers) database.run(`DROP TRIGGER ${name}`);
  return () => {
    for (const [, sql] of triggers) database.run(sql);
  };
}
