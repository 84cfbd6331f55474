/** Writes SHA256SUMS, which `sha256sum -c` reads. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The files of a release below `folder`, sorted: all but the unpacked executables in `bin` and SHA256SUMS. */
export const releasedFiles = (folder: string): string[] =>
  [...new Bun.Glob("**/*").scanSync(folder)]
    .filter((name) => !name.startsWith("bin/") && name !== "SHA256SUMS")
    .sort();

/** Writes `folder`/SHA256SUMS with a line for each file of the release. */
export function writeSums(folder: string): void {
  const lines = releasedFiles(folder).map(
    (name) => `${Bun.SHA256.hash(readFileSync(join(folder, name)), "hex")}  ${name}\n`,
  );
  writeFileSync(join(folder, "SHA256SUMS"), lines.join(""));
}
