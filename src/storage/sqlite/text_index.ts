/** Full-text indexes in SQLite: FTS5 tables without content (https://www.sqlite.org/fts5.html). */

import type { InsertedTable, Tx, TextIndex, TextIndexName } from "../../core/storage.ts";
import { progressOf, setProgress } from "../search.ts";
import { storage_limits } from "../limits.ts";

/** What is left to do of merging an index: nothing, to begin, or to continue. */
const merge_states = { none: 0, due: 1, begun: 2 } as const;

/** Which indexes have a second column, for the group of a document. */
const has_groups: Record<TextIndexName, boolean> = { search: true, job_search: false };

const inserted: Record<TextIndexName, InsertedTable<{ rowid: number; text: string; room: string }>> = {
  search: { name: "search", columns: ["rowid", "text", "room"] },
  job_search: { name: "job_search", columns: ["rowid", "text"] },
};

const quoted = (term: string): string => `"${term}"`;

const totalChanges = async (tx: Tx): Promise<number> =>
  (await tx.get<{ changes: number }>("SELECT total_changes() AS changes"))!.changes;

/** The full-text index `name` in the transaction `tx`. */
export function sqliteTextIndex(tx: Tx, name: TextIndexName): TextIndex {
  const [columns, values] = has_groups[name] ? [", text, room", ", $2, $3"] : [", text", ", $2"];
  const rest = (text: string, group: string): string[] => (has_groups[name] ? [text, group] : [text]);
  const command = (line: string) => tx.run(`INSERT INTO ${name} (${name}, rank) VALUES (${line})`);

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
    async remove(documents, later = false) {
      // Taking words out at once ('secure-delete') costs ten times as much.
      if (later) await command("'secure-delete', 0");
      for (const { document, text, group = "" } of documents) {
        // Removing a text that is not in the index would damage the index.
        if (!(await tx.get(`SELECT id FROM ${name}_docsize WHERE id = $1`, document))) continue;
        await tx.run(
          `INSERT INTO ${name} (${name}, rowid${columns}) VALUES ('delete', $1${values})`,
          document,
          ...rest(text, group),
        );
      }
      if (!later) return;
      await command("'secure-delete', 1");
      await setProgress(tx, "merge", merge_states.due);
    },
    // Merges the index into one segment, in steps: the words of removed documents are left out (section 6.8).
    async merge() {
      const state = await progressOf(tx, "merge");
      if (state === merge_states.none) return "none";
      const before = await totalChanges(tx);
      // A negative number takes all segments, also few and small ones.
      const pages = storage_limits.index_pages_merged_per_step * (state === merge_states.due ? -1 : 1);
      await tx.run(`INSERT INTO ${name} (${name}, rank) VALUES ('merge', $1)`, pages);
      // Fewer than two changes: there was nothing to merge.
      const is_done = (await totalChanges(tx)) - before < 2;
      const next = is_done ? merge_states.none : merge_states.begun;
      if (next !== state) await setProgress(tx, "merge", next);
      return is_done ? "done" : "more";
    },
  };
}
