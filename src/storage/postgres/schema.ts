/** The schema of a database in Postgres, compared with the schema of its version. */

import type { ReservedSQL } from "bun";
import { compareSchemas, type SchemaDifference, type SchemaObject } from "../schema_difference.ts";
import { first_postgres_version as first_version, postgres_migrations as migrations } from "../migrations.ts";

/** An object, and the table or the function that it is part of. */
interface OwnedObject extends SchemaObject {
  owner: string;
}

/**
 * All objects of the current schema, but for the view of migration 33, which is there until the first private room. Pretty-printed
 * definitions have no names of schemas (functions-info of the manual).
 */
const objects_query = `
  WITH tables AS (
    SELECT oid, relname AS owner, relkind, relpersistence, relrowsecurity FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f')
      AND NOT (relname = 'changes' AND relkind = 'v')
  )
  SELECT owner, 'table' AS kind, owner AS name, concat_ws(' ', relkind, relpersistence, relrowsecurity) AS definition
  FROM tables
  UNION ALL
  SELECT owner, 'column', owner || '.' || attname, concat_ws(' ', format_type(atttypid, atttypmod), attnotnull, attidentity,
    attgenerated, (SELECT collname FROM pg_collation WHERE pg_collation.oid = attcollation), pg_get_expr(adbin, adrelid, true))
  FROM tables JOIN pg_attribute ON attrelid = tables.oid LEFT JOIN pg_attrdef ON adrelid = tables.oid AND adnum = attnum
  WHERE attnum > 0 AND NOT attisdropped
  UNION ALL
  SELECT owner, 'constraint', owner || '.' || conname, pg_get_constraintdef(pg_constraint.oid, true)
  FROM tables JOIN pg_constraint ON conrelid = tables.oid WHERE contype <> 'n'
  UNION ALL
  SELECT owner, 'index', owner || '.' || relname,
    pg_get_indexdef(indexrelid, 0, true) || CASE WHEN indisvalid THEN '' ELSE ' (invalid)' END
  FROM tables JOIN pg_index ON indrelid = tables.oid JOIN pg_class ON pg_class.oid = indexrelid
  WHERE NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid AND conrelid = tables.oid)
  UNION ALL
  SELECT owner, 'trigger', owner || '.' || tgname,
    pg_get_triggerdef(pg_trigger.oid, true) || CASE tgenabled WHEN 'O' THEN '' ELSE concat(' (', tgenabled, ')') END
  FROM tables JOIN pg_trigger ON tgrelid = tables.oid WHERE NOT tgisinternal
  UNION ALL
  SELECT owner, 'rule', owner || '.' || rulename, pg_get_ruledef(pg_rewrite.oid, true)
  FROM tables JOIN pg_rewrite ON ev_class = tables.oid
  UNION ALL
  SELECT owner, 'policy', owner || '.' || polname, concat_ws(' ', polcmd, pg_get_expr(polqual, polrelid))
  FROM tables JOIN pg_policy ON polrelid = tables.oid
  UNION ALL
  SELECT proname, 'function', proname, concat_ws(' ', pg_get_function_arguments(oid), pg_get_function_result(oid), prosecdef,
    provolatile, prosrc)
  FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
  ORDER BY 2, 3`;

const objectsOf = (handle: ReservedSQL): Promise<OwnedObject[]> => handle.unsafe(objects_query);

/**
 * How the tables of the service differ from the tables of schema version `version`. The migrations make these in a schema of their
 * own, in a transaction that is rolled back. Tables and functions of other programs beside them are no difference. Throws if the user
 * may not create a schema.
 */
export async function schemaDifference(handle: ReservedSQL, version: number): Promise<SchemaDifference> {
  try {
    await handle`BEGIN`;
    await handle`
      SELECT set_config('search_path', relnamespace::regnamespace::text, true)
      FROM pg_class WHERE oid = to_regclass('schema_version')`;
    const found = await objectsOf(handle);
    const [{ name }] = await handle`SELECT 'wharf_doctor_' || pg_backend_pid() AS name`;
    await handle.unsafe(`CREATE SCHEMA ${name}; SET LOCAL search_path TO ${name}`);
    for (const sql of migrations.slice(0, version - first_version + 1)) await handle.unsafe(sql);
    const expected = await objectsOf(handle);
    const own = new Set(expected.map(({ owner }) => owner));
    return compareSchemas(
      found.filter(({ owner }) => own.has(owner)),
      expected,
    );
  } finally {
    await handle`ROLLBACK`;
  }
}
