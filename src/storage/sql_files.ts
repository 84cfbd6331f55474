/** SQL files that the executable contains. Imported as a macro, so that the build reads them. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The texts of the `.sql` files in a folder below this one, in the order of their names. */
export function sqlFiles(folder: string): string[] {
  const path = join(import.meta.dir, folder);
  const files = readdirSync(path).filter((file) => file.endsWith(".sql"));
  return files.sort().map((file) => readFileSync(join(path, file), "utf8"));
}
