/** Files that the executable contains. Imported as macros, so that the build reads them. */

import { readFileSync } from "node:fs";
import { join } from "node:path";

const views = join(import.meta.dir, "../../views");

/** Bundles a file of `views/scripts` with what it imports into one JavaScript module. Throws if it does not compile. */
export function scriptText(file: string): string {
  // Within a macro, `Bun.build` would wait for itself.
  const command = [process.execPath, "build", "--target=browser", "--minify", join(views, "scripts", file)];
  const { success, stdout, stderr } = Bun.spawnSync(command);
  if (!success) throw new Error(stderr.toString());
  return stdout.toString();
}

/** A picture of `views/assets` in base64. */
export const picture = (file: string): string => readFileSync(join(views, "assets", file)).toString("base64");
