/** The paths of leased things as the service knows them. */

import { isAbsolute, relative, resolve, sep } from "node:path";
import { UsageError } from "../../../core/settings.ts";
import { realPath, type LeasedTree } from "./lease_file.ts";

/**
 * The paths from the top of the tree, of paths from the current folder. Without a tree they are sent as they are: `issue/12` is no file.
 * Throws a `UsageError` for a path outside the tree.
 */
export const leasePaths = (given: readonly string[], tree: LeasedTree | undefined): string[] =>
  given.map((path) => (tree ? pathIn(tree, path) : normalPath(path)));

function pathIn({ root }: LeasedTree, given: string): string {
  const path = relative(root, realPath(resolve(given)));
  if (path === "") throw new UsageError(`${given} is the whole of ${root}: name what is in it.`);
  if (path === ".." || path.startsWith(`..${sep}`) || isAbsolute(path))
    throw new UsageError(`${given} is outside ${root}, the folder whose .wharf-leases.toml counts here.`);
  return normalPath(path);
}

/** As the service stores it. */
const normalPath = (path: string): string =>
  (sep === "/" ? path : path.replaceAll(sep, "/"))
    .normalize("NFC")
    .split("/")
    .filter((segment) => segment !== "" && segment !== ".")
    .join("/");
