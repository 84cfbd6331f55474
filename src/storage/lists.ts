/** Statements with a list of values, or of rows of values. */

import type { SqlValue } from "../core/storage.ts";

/** The parameters of a list, from `$1`. */
interface Parameters {
  /** For `IN (…)`. */
  places: string;
  /** For `FROM (VALUES …)`, whose columns both engines call `column1` and so on. */
  rows: string;
}

type Statement = [sql: string, ...values: SqlValue[]];

/**
 * A statement for a list of values, at least one, or of rows of `columns` values, which are its only parameters. The returned
 * function returns its text and its values. The last one is repeated up to a power of two, so that engines have few statements to
 * prepare.
 */
export function statementOf(textOf: (list: Parameters) => string): (values: readonly SqlValue[]) => Statement;
export function statementOf(
  textOf: (list: Parameters) => string,
  columns: number,
): (rows: readonly SqlValue[][]) => Statement;
export function statementOf(textOf: (list: Parameters) => string, columns = 1) {
  const texts = new Map<number, string>();
  return (given: readonly (SqlValue | SqlValue[])[]): Statement => {
    const list = given.length === 1 ? given : padded(columns === 1 ? [...new Set(given)] : [...given]);
    let text = texts.get(list.length);
    if (text === undefined) texts.set(list.length, (text = textOf(parametersOf(list.length, columns))));
    return [text, ...(list.flat() as SqlValue[])];
  };
}

function parametersOf(count: number, columns: number): Parameters {
  const places = Array.from({ length: count * columns }, (_, i) => `$${i + 1}`);
  const rows = Array.from({ length: count }, (_, i) => places.slice(i * columns, (i + 1) * columns));
  return { places: places.join(", "), rows: rows.map((row) => `(${row.join(", ")})`).join(", ") };
}

/** Repeats the last value up to a power of two. */
function padded<Value>(values: Value[]): Value[] {
  const last = values.at(-1)!;
  while ((values.length & (values.length - 1)) !== 0) values.push(last);
  return values;
}
