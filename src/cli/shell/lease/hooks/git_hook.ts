/** Answers the hooks of git: a status other than 0 refuses the commit or the push, and standard error says why. */

import { join } from "node:path";
import type { Terminal } from "../../../terminal.ts";
import { writeLines } from "../../texts.ts";
import { joined, type Guard, type Verdict } from "../guard.ts";
import { lease_file_name, leaseFileFrom, realPath } from "../lease_file.ts";
import { gitOf, type Git } from "./git.ts";
import { stagedPaths } from "./git_pre_commit.ts";
import { fencesIn, pushedPaths, updatesIn } from "./git_pre_receive.ts";

export const git_hooks = ["git-pre-commit", "git-pre-receive"] as const;
export type GitHook = (typeof git_hooks)[number];

/** Runs a hook in its folder. `input`: its standard input. */
export async function answerGit(
  hook: GitHook,
  guard: Guard,
  terminal: Terminal,
  input: () => Promise<string>,
): Promise<void> {
  const git = gitOf(terminal.environment);
  const verdict =
    hook === "git-pre-commit"
      ? await commitVerdict(git, guard)
      : await pushVerdict(git, guard, terminal, await input());
  const text = verdict.allowed ? verdict.notice : verdict.text;
  if (text !== undefined) writeLines(terminal, text);
  if (!verdict.allowed) terminal.setStatus(1);
}

async function commitVerdict(git: Git, guard: Guard): Promise<Verdict> {
  const root = realPath((await git.run(["rev-parse", "--show-toplevel"])).replace(/\n$/, ""));
  const paths = await stagedPaths(git);
  return guard.checkFiles(paths.map((path) => join(root, path)));
}

/** Each ref is checked by the file of its branch as it was before the push: a push cannot take itself out. */
async function pushVerdict(
  git: Git,
  guard: Guard,
  { environment }: Terminal,
  input: string,
): Promise<Verdict> {
  const fences = fencesIn(environment);
  const by_file = new Map<string | null, string[]>();
  for (const { config_commit, paths } of await pushedPaths(git, updatesIn(input))) {
    const text =
      config_commit === null ? null : await git.ask(["show", `${config_commit}:${lease_file_name}`]);
    by_file.set(text, [...(by_file.get(text) ?? []), ...paths]);
  }
  const verdicts: Verdict[] = [];
  for (const [text, paths] of by_file) {
    const readFile = () => (text === null ? null : leaseFileFrom(text, lease_file_name));
    verdicts.push(await guard.checkTree(readFile, paths, { fences }));
  }
  return joined(verdicts);
}
