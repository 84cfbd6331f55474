/** Repositories of git for tests, with the settings of nobody. */

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export interface Repository {
  directory: string;
  environment: Record<string, string | undefined>;
  /** Runs git. Returns what it prints; throws if it fails. */
  git(...args: string[]): string;
  /** The same; returns its status and what it prints on standard error. */
  tryGit(...args: string[]): { status: number; errors: string };
  /** Writes files and commits them; null removes one. Returns the id of the commit. */
  commit(files: Record<string, string | null>): string;
  /** Writes files; null removes one. */
  write(files: Record<string, string | null>): void;
}

/** Makes a repository with the branch main, or an empty one of a server. */
export function newRepository(
  directory: string,
  {
    is_bare = false,
    environment: more = {},
  }: { is_bare?: boolean; environment?: Record<string, string> } = {},
): Repository {
  mkdirSync(directory, { recursive: true });
  const environment = {
    PATH: process.env.PATH,
    HOME: directory,
    GIT_CONFIG_NOSYSTEM: "1",
    ...Object.fromEntries(
      ["AUTHOR", "COMMITTER"].flatMap((role) => [
        [`GIT_${role}_NAME`, "Ada"],
        [`GIT_${role}_EMAIL`, "ada@example.org"],
      ]),
    ),
    ...more,
  };
  const run = (args: string[]) =>
    Bun.spawnSync(["git", ...args], { cwd: directory, env: environment, stdin: "ignore" });
  const git = (...args: string[]): string => {
    const { exitCode, stdout, stderr } = run(args);
    if (exitCode !== 0) throw new Error(`git ${args.join(" ")}: ${stderr.toString()}`);
    return stdout.toString().trim();
  };
  const write = (files: Record<string, string | null>): void => {
    for (const [path, text] of Object.entries(files)) {
      const file = join(directory, path);
      if (text === null) rmSync(file);
      else {
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text);
      }
    }
  };
  git("init", "--quiet", "--initial-branch=main", ...(is_bare ? ["--bare"] : []));
  return {
    directory,
    environment,
    git,
    tryGit(...args) {
      const { exitCode, stderr } = run(args);
      return { status: exitCode, errors: stderr.toString() };
    },
    write,
    commit(files) {
      write(files);
      git("add", "--all");
      git("commit", "--quiet", "--allow-empty", "--message", "A change");
      return git("rev-parse", "HEAD");
    },
  };
}
