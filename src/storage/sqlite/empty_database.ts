/** A database with every migration applied and no rows. Imported as a macro, so that the build makes it once for all starts. */

import { Database } from "bun:sqlite";
import { sqlFiles } from "../sql_files.ts";

/** The bytes of the database, gzipped, in base64. */
export function emptyDatabase(): string {
  const database = new Database(":memory:");
  database.run("PRAGMA auto_vacuum = INCREMENTAL");
  // Not by migrate(): it imports the files by a macro, which a macro cannot.
  const migrations = sqlFiles("migrations");
  for (const sql of migrations) database.run(sql);
  database.run(`PRAGMA user_version = ${migrations.length}`);
  const bytes = Bun.gzipSync(new Uint8Array(database.serialize()));
  database.close();
  return Buffer.from(bytes).toString("base64");
}
