/** The numbered migrations of Postgres, embedded in the binary. A released file never changes; the next change is a new file. */

import schema from "./migrations/postgres/0023_schema.sql" with { type: "text" };
import activity from "./migrations/postgres/0024_activity.sql" with { type: "text" };
import removedWords from "./migrations/postgres/0025_removed_words.sql" with { type: "text" };

/** The version of the schema that the first file makes. */
export const first_version = 23;

export const migrations: readonly string[] = [schema, activity, removedWords];
