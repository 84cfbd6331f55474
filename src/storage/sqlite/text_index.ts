/** Full-text indexes in SQLite: FTS5 tables without content (https://www.sqlite.org/fts5.html). */

import type { InsertedTable, Tx } from "../../core/storage.ts";
import type { IndexedText, TextIndex, TextIndexName } from "../../core/text_index.ts";
import { allOf, anyOf, haveAll, wordsOf } from "./tokenizer.ts";

/** Which indexes have the places of words: only in these a query can have phrases. */
const has_places: Record<TextIndexName, boolean> = {
  search: false,
  private_search: false,
  job_search: true,
};

const inserted: Record<TextIndexName, InsertedTable<{ rowid: number; text: string }>> = {
  search: { name: "search", columns: ["rowid", "text"] },
  private_search: { name: "private_search", columns: ["rowid", "text"] },
  job_search: { name: "job_search", columns: ["rowid", "text"] },
};

/** A word that no text has: `#` separates words in texts, and is a letter of the tokenizer of indexes with groups. */
const groupWord = (group: string): string => `#${group}`;

const indexed = ({ text, group }: IndexedText): string =>
  group === undefined ? text : `${groupWord(group)} ${text.replaceAll("#", " ")}`;

/** The full-text index `name` in the transaction `tx`. */
export function sqliteTextIndex(tx: Tx, name: TextIndexName): TextIndex {
  /** Whether the index has a document. Each document has the word of its group. */
  const holds = ({ document, group }: IndexedText): Promise<unknown> =>
    group === undefined
      ? tx.get(`SELECT id FROM ${name}_docsize WHERE id = $1`, document)
      : tx.get(
          `SELECT rowid FROM ${name} WHERE rowid = $1 AND ${name} MATCH $2`,
          document,
          allOf([groupWord(group)]),
        );

  return {
    table: name,
    document: "rowid",
    matches: (value) => `${name} MATCH ${value}`,
    find(terms, { is_beginning } = { is_beginning: false }) {
      const words = has_places[name] ? terms.map((term) => [term]) : wordsOf(terms);
      const phrases = terms.filter((_, i) => words[i]!.length > 1);
      // A term without a word is in no text.
      const parts = words.flatMap((found, i) => (found.length > 1 ? found : terms[i]!));
      const beginning = is_beginning ? "*" : "";
      return {
        query: allOf(parts) + beginning,
        within: (...groups) => `${anyOf(groups.map(groupWord))} AND ${allOf(parts)}${beginning}`,
        check: phrases.length > 0 && !is_beginning ? (texts) => haveAll(texts, phrases) : null,
      };
    },
    add: (documents) =>
      tx.insertAll(
        inserted[name],
        documents.map((one) => ({ rowid: one.document, text: indexed(one) })),
      ),
    async remove(documents) {
      for (const one of documents) {
        // Removing a text that is not in the index would damage the index.
        if (!(await holds(one))) continue;
        await tx.run(
          `INSERT INTO ${name} (${name}, rowid, text) VALUES ('delete', $1, $2)`,
          one.document,
          indexed(one),
        );
      }
    },
  };
}
