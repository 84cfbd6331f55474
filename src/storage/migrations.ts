/** The numbered migrations, embedded in the binary. A released file never changes; the next change is a new file. */

import { sqlFiles } from "./sql_files.ts" with { type: "macro" };

/** Of SQLite. */
export const migrations: readonly string[] = sqlFiles("migrations");

/** Of Postgres. The first makes the schema of the version `first_postgres_version`. */
export const postgres_migrations: readonly string[] = sqlFiles("migrations/postgres");
export const first_postgres_version = 23;
