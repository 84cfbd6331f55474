/** Full-text indexes: what engines offer to features, apart from the SQL around it. */

/** The full-text indexes: of public rooms and their posts, of private rooms and their posts, and of jobs. */
export type TextIndexName = "search" | "private_search" | "job_search";

export interface IndexedText {
  document: number;
  text: string;
  group?: string;
}

/** A full-text index: numbered documents, found by their words. Its SQL differs between the engines. */
export interface TextIndex {
  /** Its table, and the column with the number of a document. */
  readonly table: string;
  readonly document: string;
  /** The condition that a document matches the query in the parameter `value`, such as `$1`. */
  matches(value: string): string;
  /** `is_beginning`: the last term may be the beginning of a word, and a text may have the parts of the terms apart. */
  find(terms: readonly string[], how?: { is_beginning: boolean }): TextQuery;
  /** Adds documents that the index does not have. */
  add(documents: readonly IndexedText[]): Promise<void>;
  /** Removes documents and their words; `text` and `group` are those that were added. Ignores those that the index does not have. */
  remove(documents: readonly IndexedText[]): Promise<void>;
}

/** Queries for the documents that have some terms. */
export interface TextQuery {
  /** The value of the parameter of `matches`: documents with all terms. */
  readonly query: string;
  /** The same for documents of any of these groups, at least one. */
  within(...groups: string[]): string;
  /** For terms of which the query finds only the parts: which texts have them whole. Null if all that it finds have. */
  readonly check: ((texts: readonly string[]) => boolean[]) | null;
}
