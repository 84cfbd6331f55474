/** What a push changes, for the hook pre-receive of a server: the lines of its standard input, and the options of the push. */

import { pathsIn, plain_paths, type Git } from "./git.ts";

/** A ref that a push changes. An id of zeros: the ref is new, or is deleted. */
interface RefUpdate {
  old_id: string;
  new_id: string;
  ref: string;
}

interface PushedPaths {
  /** The commit whose configuration counts: that of the ref before the push, or of the default branch for a new one; null without both. */
  config_commit: string | null;
  paths: string[];
}

/** The updates that git lists on standard input, one a line. */
export const updatesIn = (input: string): RefUpdate[] =>
  Array.from(input.matchAll(/^([\da-f]+) ([\da-f]+) (.+)$/gm), ([, old_id, new_id, ref]) => ({
    old_id: old_id!,
    new_id: new_id!,
    ref: ref!,
  }));

const isNone = (id: string): boolean => /^0+$/.test(id);

/** The paths that each update changes. Deleted refs, and refs to anything but commits, change none. */
export async function pushedPaths(git: Git, updates: RefUpdate[]): Promise<PushedPaths[]> {
  const head = await headOf(git);
  const pushed: PushedPaths[] = [];
  for (const update of updates) {
    const [old_commit, new_commit] = [await commitOf(git, update.old_id), await commitOf(git, update.new_id)];
    if (new_commit === null) continue;
    const paths =
      old_commit === null
        ? await newPaths(git, new_commit)
        : await movedPaths(git, old_commit, new_commit, update.ref === head.ref ? null : head.commit);
    pushed.push({ config_commit: old_commit ?? head.commit, paths });
  }
  return pushed;
}

/** The default branch, and its commit before the push; null if it has none. */
async function headOf(git: Git): Promise<{ ref: string | undefined; commit: string | null }> {
  const ref = (await git.ask(["symbolic-ref", "--quiet", "HEAD"]))?.trim();
  return { ref, commit: await commitOf(git, "HEAD") };
}

async function commitOf(git: Git, id: string): Promise<string | null> {
  if (isNone(id)) return null;
  const found = await git.ask(["rev-parse", "--verify", "--quiet", "--end-of-options", `${id}^{commit}`]);
  return found?.trim() || null;
}

/** The paths that the commits of a new ref change, without those that another ref has. */
async function newPaths(git: Git, new_commit: string): Promise<string[]> {
  const commits = await git.run(["rev-list", new_commit, "--not", "--all"]);
  if (commits === "") return [];
  // Of a merge: the paths that differ from all its parents.
  const of_commits = ["diff-tree", "--stdin", "-r", "-c", "--root", "--no-commit-id", ...plain_paths];
  return pathsIn(await git.run(of_commits, commits));
}

/**
 * The paths that differ after the move of a ref. On a branch beside the default branch, a path counts only if the branch itself
 * changes it, before or after: a merge of the default branch, or a rebase onto it, is no change of what came from there.
 */
async function movedPaths(
  git: Git,
  old_commit: string,
  new_commit: string,
  default_commit: string | null,
): Promise<string[]> {
  const differing = async (from: string, to: string) =>
    pathsIn(await git.run(["diff-tree", "-r", ...plain_paths, from, to]));
  const moved = await differing(old_commit, new_commit);
  if (default_commit === null) return moved;
  const own = new Set<string>();
  for (const commit of [old_commit, new_commit]) {
    const base = (await git.ask(["merge-base", default_commit, commit]))?.trim();
    if (!base) return moved;
    for (const path of await differing(base, commit)) own.add(path);
  }
  return moved.filter((path) => own.has(path));
}

/** The fences by path of `git push -o wharf-lease=PATH:FENCE`. Throws a user-facing error for an option that is none. */
export function fencesIn(environment: Record<string, string | undefined>): Record<string, number> {
  const count = Number(environment["GIT_PUSH_OPTION_COUNT"] ?? 0);
  const options = Array.from({ length: count }, (_, i) => environment[`GIT_PUSH_OPTION_${i}`] ?? "");
  const fences = options
    .filter((option) => option.startsWith("wharf-lease="))
    .map((option) => {
      const [, path, fence] = /^wharf-lease=(.+):(\d{1,15})$/.exec(option) ?? [];
      if (path === undefined) throw new Error(`${option} is no lease: send wharf-lease=PATH:FENCE.`);
      return [path, Number(fence)] as const;
    });
  return Object.fromEntries(fences);
}
