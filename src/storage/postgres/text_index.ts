/** Full-text indexes in Postgres: a `tsvector` for each document, made of words that the program has found itself. */

import type { Tx } from "../../core/storage.ts";
import type { TextIndex, TextIndexName } from "../../core/text_index.ts";
import { plainWord, searchTerms } from "../../core/text.ts";

/** Postgres stores lexemes of at most 2046 bytes; longer words are found by their beginning. */
const word_bytes_max = 2_046;
const encoder = new TextEncoder();
const decoder = new TextDecoder();
// oxlint-disable-next-line no-control-regex -- all of ASCII
const ascii = /^[\0-\x7f]*$/;

/** A word as SQLite's index has it. */
function lexeme(term: string): string {
  const plain = plainWord(term);
  const bytes = encoder.encode(plain);
  if (bytes.length <= word_bytes_max) return plain;
  return decoder.decode(bytes.subarray(0, word_bytes_max), { stream: true });
}

/** The words of a text, each once. Most texts are ASCII, whose words are short and have no marks. */
function lexemesOf(text: string): string[] {
  const words =
    ascii.test(text) && text.length <= word_bytes_max
      ? (text.toLowerCase().match(/[a-z0-9]+/g) ?? [])
      : searchTerms(text).map(lexeme);
  return [...new Set(words)].filter((word) => word !== "");
}

/** Words have no quotes and no backslashes: they need no escaping. */
const quoted = (word: string): string => `'${word}'`;

/** A word that no text has, because it begins with a sign. */
const groupWord = (group: string): string => `#${group}`;

/**
 * The lock of all text indexes of a schema. A lock of their rows would not do, because the row of a text that is withdrawn while it is
 * added is not there yet; one of the texts would hold up those who change them otherwise, and one of the tables VACUUM.
 */
const lock = "(72629145, CAST(CAST('search_progress' AS REGCLASS) AS OID)::INT)";

/** Has others wait before they remove documents, and waits for those that have removed some. */
export const hold_indexes = `SELECT pg_advisory_xact_lock${lock}`;
const before_removal = `SELECT pg_advisory_xact_lock_shared${lock}`;

/** The full-text index `name` in the transaction `tx`. */
export function postgresTextIndex(tx: Tx, name: TextIndexName): TextIndex {
  return {
    table: name,
    document: "document",
    matches: (value) => `words @@ CAST(${value} AS TSQUERY)`,
    find(terms, { is_beginning } = { is_beginning: false }) {
      const words = terms.flatMap(lexemesOf);
      const allOf = (wanted: string[]) =>
        wanted
          .map((word) => `${quoted(word)}${is_beginning && word === words.at(-1) ? ":*" : ""}`)
          .join(" & ");
      return {
        query: allOf(words),
        within: (...groups) => {
          const any = groups.map((group) => quoted(groupWord(group))).join(" | ");
          return [allOf(words), groups.length === 1 ? any : `(${any})`].filter(Boolean).join(" & ");
        },
        check: null,
      };
    },
    add: (documents) =>
      tx.insertAll(
        { name, columns: ["document", "words"] },
        documents.map(({ document, text, group }) => {
          const words = lexemesOf(text);
          if (group !== undefined) words.push(groupWord(group));
          return { document, words: words.map(quoted).join(" ") };
        }),
      ),
    async remove(documents) {
      if (documents.length > 0) await tx.get(before_removal);
      for (const { document } of documents) await tx.run(`DELETE FROM ${name} WHERE document = $1`, document);
    },
  };
}
