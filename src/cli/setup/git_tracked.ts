/** Whether git tracks a file, such as one of a repository of dotfiles. */

import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const git_ms_max = 5_000;

/** Returns false if that cannot be known, as without git. */
export function isTracked(file: string): boolean {
  if (!existsSync(file) || !isInWorkTree(dirname(file)) || Bun.which("git") === null) return false;
  const command = ["git", "-c", "core.fsmonitor=false", "ls-files", "--error-unmatch", "--", basename(file)];
  const { exitCode } = Bun.spawnSync(command, {
    cwd: dirname(file),
    stdio: ["ignore", "ignore", "ignore"],
    timeout: git_ms_max,
  });
  return exitCode === 0;
}

const isInWorkTree = (folder: string): boolean =>
  existsSync(join(folder, ".git")) ? true : dirname(folder) !== folder && isInWorkTree(dirname(folder));
