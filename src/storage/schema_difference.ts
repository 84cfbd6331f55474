/** Compares the schema of a database with the schema of its version, for both engines. */

/** A part of a schema. */
export interface SchemaObject {
  /** Such as `table` or `trigger`. */
  kind: string;
  name: string;
  /** The statement that creates it, as the engine stores it. */
  definition: string;
}

export interface SchemaDifference {
  missing: SchemaObject[];
  foreign: SchemaObject[];
  changed: SchemaObject[];
}

/** Objects that one sentence names at most. */
const named_max = 5;
const name_chars_max = 80;

/** The differences between the objects that were `found` and the objects of their version. */
export function compareSchemas(
  found: readonly SchemaObject[],
  expected: readonly SchemaObject[],
): SchemaDifference {
  const keyOf = ({ kind, name }: SchemaObject) => `${kind} ${name}`;
  const there = new Map(found.map((object) => [keyOf(object), object]));
  const own = new Map(expected.map((object) => [keyOf(object), object]));
  return {
    missing: expected.filter((object) => !there.has(keyOf(object))),
    foreign: found.filter((object) => !own.has(keyOf(object))),
    changed: expected.filter((object) => {
      const other = there.get(keyOf(object));
      return other !== undefined && other.definition !== object.definition;
    }),
  };
}

/** The difference in words, such as `missing index posts_numbered, foreign trigger t`; null if there is none. */
export function differenceText(difference: SchemaDifference): string | null {
  const named = (["missing", "foreign", "changed"] as const).flatMap((how) =>
    difference[how].map(({ kind, name }) => `${how} ${kind} ${name.slice(0, name_chars_max)}`),
  );
  if (named.length === 0) return null;
  const more = named.length > named_max ? `, and ${named.length - named_max} more` : "";
  return named.slice(0, named_max).join(", ") + more;
}

/** The statements that create the missing objects, as far as an engine stores statements. */
export const missingStatements = ({ missing }: SchemaDifference): string[] =>
  missing.map(({ definition }) => definition).filter((definition) => definition.startsWith("CREATE "));
