/** The files under which a database is written until it is complete. A process that is killed leaves them. */

import { existsSync, readdirSync, rmSync } from "node:fs";

/** The files that exist while `file` is written. */
export const partialFiles = (file: string): string[] =>
  ["", "-wal", "-shm", "-journal", ".zst"].map((suffix) => `${file}.partial${suffix}`);

/** Removes the files that exist while `file` is written. */
export function removePartial(file: string): void {
  for (const left of partialFiles(file)) rmSync(left, { force: true });
}

/** Names that count as nothing in a new data directory: its lock, and what a killed process has left. */
const left = /^wharf\.(?:lock|db\.partial.*)$/;

/** Throws unless `directory` is missing or empty; files that a killed process has left do not count. `what`: such as "A restore". */
export function refuseFull(directory: string, what: string): void {
  const found = existsSync(directory)
    ? readdirSync(directory)
        .sort()
        .find((name) => !left.test(name))
    : undefined;
  if (found === undefined) return;
  throw new Error(
    `${directory} is not empty: it has ${found}. ${what} goes only into a missing or empty directory; ` +
      "name another --data-dir.",
  );
}
