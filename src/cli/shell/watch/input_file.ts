/** The standard input of a command that is started for news. */

import { closeSync, openSync, unlinkSync } from "node:fs";
import { writeAll } from "../../../storage/sqlite/durable.ts";

/**
 * A descriptor from which `text` can be read. A file and not a pipe, so that the command can read the whole text although its parent is
 * killed. The file is removed before this returns.
 */
export function inputFrom(file: string, text: string): number {
  const written = openSync(file, "w", 0o600);
  writeAll(written, Buffer.from(text));
  closeSync(written);
  const read = openSync(file, "r");
  unlinkSync(file);
  return read;
}
