/** The version of the schema that this build writes, in both engines. */

import { migrations } from "./migrations.ts";

/** Throws a user-facing error if a newer build wrote this schema version. */
export function refuseNewer(schema_version: number): void {
  if (schema_version <= migrations.length) return;
  throw new Error(
    `The database has schema version ${schema_version}; this build knows versions up to ${migrations.length}. ` +
      "Run the newer build that wrote it.",
  );
}
