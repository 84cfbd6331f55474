/** The paths that a commit changes, for the hook pre-commit. */

import { pathsIn, plain_paths, type Git } from "./git.ts";

/**
 * The staged paths that differ from the last commit, also those that are deleted, from the top of the repository. In a merge those
 * that differ from both sides: what comes from the other side is committed there.
 */
export async function stagedPaths(git: Git): Promise<string[]> {
  const stagedAgainst = async (commit: string[]) =>
    pathsIn(await git.run(["diff", "--cached", ...plain_paths, ...commit, "--"]));
  const staged = await stagedAgainst([]);
  const is_merge = (await git.ask(["rev-parse", "--verify", "--quiet", "MERGE_HEAD"])) !== null;
  if (!is_merge) return staged;
  const beside_other = new Set(await stagedAgainst(["MERGE_HEAD"]));
  return staged.filter((path) => beside_other.has(path));
}
