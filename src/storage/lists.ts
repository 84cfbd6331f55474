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
  const texts: string[] = [];
  const textFor = (count: number) => (texts[count] ??= textOf(parametersOf(count, columns)));
  return (given: readonly (SqlValue | SqlValue[])[]): Statement => {
    if (given.length === 1) return [textFor(1)].concat(given[0] as string) as Statement;
    const list = padded(columns === 1 ? new Set(given) : given);
    return [textFor(list.length), ...(list.flat() as SqlValue[])];
  };
}

function parametersOf(count: number, columns: number): Parameters {
  const places = Array.from({ length: count * columns }, (_, i) => `$${i + 1}`);
  const rows = Array.from({ length: count }, (_, i) => places.slice(i * columns, (i + 1) * columns));
  return { places: places.join(", "), rows: rows.map((row) => `(${row.join(", ")})`).join(", ") };
}

/** Repeats the last value up to a power of two, so that there are few different statements with a list of values. */
export function padded<Value>(values: Iterable<Value>): Value[] {
  const list = [...values];
  const last = list.at(-1)!;
  while ((list.length & (list.length - 1)) !== 0) list.push(last);
  return list;
}

/** Finds rows by a key. A few rows, such as the rows of a single post, need no map. */
export function finderOf<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): (key: string) => Row | undefined {
  if (rows.length <= 4) return (key) => rows.find((row) => keyOf(row) === key);
  const found = new Map(rows.map((row) => [keyOf(row), row]));
  return (key) => found.get(key);
}
