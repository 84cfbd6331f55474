/** Statements with a list of values. */

import type { SqlValue } from "../core/storage.ts";

/** The parameters of a list, from `$1`. */
interface Parameters {
  /** For `IN (…)`. */
  places: string;
  /** For `FROM (VALUES …)`, whose column both engines call `column1`. */
  rows: string;
}

/**
 * A statement for a list of values, at least one, which are its only parameters. The returned function returns its text and its
 * values. The last value is repeated up to a power of two, so that engines have few statements to prepare.
 */
export function statementOf(
  textOf: (list: Parameters) => string,
): (values: readonly SqlValue[]) => [sql: string, ...values: SqlValue[]] {
  const texts = new Map<number, string>();
  return (given) => {
    const values = given.length === 1 ? given : distinct(given);
    let text = texts.get(values.length);
    if (text === undefined) {
      const places = values.map((_, i) => `$${i + 1}`);
      text = textOf({ places: places.join(", "), rows: places.map((place) => `(${place})`).join(", ") });
      texts.set(values.length, text);
    }
    return [text, ...values];
  };
}

/** The values, each once, but for the last. */
function distinct(given: readonly SqlValue[]): SqlValue[] {
  const values = [...new Set(given)];
  const last = values.at(-1)!;
  while ((values.length & (values.length - 1)) !== 0) values.push(last);
  return values;
}
