/**
 * How FTS5 splits texts into words. It ends a word at most marks, such as the vowels of Hindi, and at letters of a newer Unicode.
 * So an index in memory does it.
 */

import { Database } from "bun:sqlite";

/** A query for all of these terms. Quotes, so that none is an operator: a term of several words is a phrase. */
export const allOf = (terms: readonly string[]): string => terms.map((term) => `"${term}"`).join(" AND ");

/** A query for any of these terms. */
export const anyOf = (terms: readonly string[]): string =>
  terms.length === 1 ? allOf(terms) : `(${terms.map((term) => `"${term}"`).join(" OR ")})`;

function openIndex() {
  const database = new Database(":memory:");
  // The tokenizer of the indexes in the migrations.
  database.run('CREATE VIRTUAL TABLE texts USING fts5(text, tokenize = "unicode61 remove_diacritics 2")');
  database.run("CREATE VIRTUAL TABLE words USING fts5vocab(texts, instance)");
  const insert = database.query("INSERT INTO texts (rowid, text) VALUES (?1, ?2)");
  const words = database.query<{ doc: number; term: string }, []>(
    "SELECT doc, term FROM words ORDER BY doc, offset",
  );
  const matches = database.query<{ rowid: number }, [string]>("SELECT rowid FROM texts WHERE texts MATCH ?1");

  /** What `read` finds while the index has only these texts, numbered from 0. */
  function withTexts<Found>(texts: readonly string[], read: () => Found): Found {
    database.run("BEGIN");
    try {
      for (const [i, text] of texts.entries()) insert.run(i, text);
      return read();
    } finally {
      database.run("ROLLBACK");
    }
  }

  return {
    wordsOf(texts: readonly string[]): string[][] {
      const found = texts.map((): string[] => []);
      for (const { doc, term } of withTexts(texts, () => words.all())) found[doc]!.push(term);
      return found;
    },
    haveAll(texts: readonly string[], terms: readonly string[]): boolean[] {
      const found = withTexts(texts, () => matches.all(allOf(terms)));
      const numbers = new Set(found.map(({ rowid }) => rowid));
      return texts.map((_, i) => numbers.has(i));
    },
  };
}

let index: ReturnType<typeof openIndex> | undefined;

// oxlint-disable-next-line no-control-regex -- all of ASCII
const ascii = /^[\0-\x7f]*$/;

/** The words that the tokenizer finds in each term. A term has letters, marks and digits only. */
export function wordsOf(terms: readonly string[]): string[][] {
  if (terms.every((term) => ascii.test(term))) return terms.map((term) => [term]);
  index ??= openIndex();
  return index.wordsOf(terms);
}

/** Which of these texts have all terms as they are written, apart from case and diacritics. */
export function haveAll(texts: readonly string[], terms: readonly string[]): boolean[] {
  index ??= openIndex();
  return index.haveAll(texts, terms);
}
