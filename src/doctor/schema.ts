/** Whether a database has the schema of its version, in both engines. */

import { differenceText, missingStatements, type SchemaDifference } from "../storage/schema_difference.ts";
import { findingsOf, type Finding } from "./finding.ts";

/** The finding of a schema that differs from `version`, with the statements that create the missing objects; null if it does not differ. */
export function differingSchema(version: number, difference: SchemaDifference): Finding | null {
  const text = differenceText(difference);
  if (text === null) return null;
  const statements = missingStatements(difference);
  return findingsOf("schema").failed(
    `The schema of the database is not that of version ${version}: ${text}.`,
    "Another program changed it. Undo that with SQL, or restore a backup from before (wharf restore)." +
      (statements.length > 0 ? ` What is missing is made by: ${statements.join("; ")}` : ""),
  );
}
