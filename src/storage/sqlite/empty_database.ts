/** A database with every migration applied and no rows. Imported as a macro, so that the build makes it once for all starts. */

import { Database } from "bun:sqlite";
import { migrate } from "./migrate.ts";

/** The bytes of the database, gzipped, in base64. */
export function emptyDatabase(): string {
  const database = new Database(":memory:");
  database.run("PRAGMA auto_vacuum = INCREMENTAL");
  migrate(database);
  const bytes = Bun.gzipSync(new Uint8Array(database.serialize()));
  database.close();
  return Buffer.from(bytes).toString("base64");
}
