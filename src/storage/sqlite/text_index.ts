/** Full-text indexes in SQLite: FTS5 tables without content (https://www.sqlite.org/fts5.html). */

import type { InsertedTable, Tx, TextIndex, TextIndexName } from "../../core/storage.ts";

/** Which indexes have a second column, for the group of a document. */
const has_groups: Record<TextIndexName, boolean> = { search: true, job_search: false };

const inserted: Record<TextIndexName, InsertedTable<{ rowid: number; text: string; room: string }>> = {
  search: { name: "search", columns: ["rowid", "text", "room"] },
  job_search: { name: "job_search", columns: ["rowid", "text"] },
};

const quoted = (term: string): string => `"${term}"`;

/** The full-text index `name` in the transaction `tx`. */
export function sqliteTextIndex(tx: Tx, name: TextIndexName): TextIndex {
  const [columns, values] = has_groups[name] ? [", text, room", ", $2, $3"] : [", text", ", $2"];
  const rest = (text: string, group: string): string[] => (has_groups[name] ? [text, group] : [text]);

  return {
    table: name,
    document: "rowid",
    matches: (value) => `${name} MATCH ${value}`,
    // Quotes each word, so that none is an operator.
    query(terms, group) {
      const words = terms.map(quoted).join(" AND ");
      return group === undefined
        ? `{text} : (${words})`
        : `({text} : (${words})) AND ({room} : ${quoted(group)})`;
    },
    add: (documents) =>
      tx.insertAll(
        inserted[name],
        documents.map(({ document, text, group = "" }) => ({ rowid: document, text, room: group })),
      ),
    async remove(documents) {
      for (const { document, text, group = "" } of documents) {
        // Removing a text that is not in the index would damage the index.
        if (!(await tx.get(`SELECT id FROM ${name}_docsize WHERE id = $1`, document))) continue;
        await tx.run(
          `INSERT INTO ${name} (${name}, rowid${columns}) VALUES ('delete', $1${values})`,
          document,
          ...rest(text, group),
        );
      }
    },
  };
}
