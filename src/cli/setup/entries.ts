/** Entries of files of both formats: members and items of JSON, tables of TOML. */

import {
  addEntry as addToJson,
  removeEntry as removeFromJson,
  type Added,
  type Entry,
  type Removed,
} from "./json_edit.ts";
import { addTable, removeTable, type Table } from "./toml_edit.ts";

/** Throws a `JsonFault` if the text is not in its format, or if something else has the place of the entry. */
export const addEntry = (text: string, entry: Entry | Table): Added =>
  entry.kind === "table" ? addTable(text, entry) : addToJson(text, entry);

/** Throws a `JsonFault` if the text is not in its format. */
export const removeEntry = (
  text: string,
  entry: (Entry | Table) & Pick<Added, "found" | "comma">,
): Removed => (entry.kind === "table" ? removeTable(text, entry) : removeFromJson(text, entry));
