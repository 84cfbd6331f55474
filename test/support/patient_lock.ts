/** Loaded before the program into commands that lock one file at once: each waits ten times as long, on a busy machine. */

import { Database } from "bun:sqlite";

type Run = (this: Database, sql: string) => ReturnType<Database["run"]>;

// The locks have no parameters. Zero, for who does not wait, stays so.
const run = Reflect.get(Database.prototype, "run") as Run;
Database.prototype.run = function (this: Database, sql: string) {
  return run.call(this, sql.replace(/^PRAGMA busy_timeout = \d+$/, "$&0"));
};
