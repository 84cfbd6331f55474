/** The release of this folder, for tests. It is built once for each state of the files. */

import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lock } from "../../src/storage/sqlite/lock.ts";
import { dist } from "./binary.ts";
import { lacks } from "./programs.ts";

const root = join(import.meta.dir, "../..");
const state_file = join(dist, "release.state");

/** For `test.skipIf(lacks_release)`. */
export const lacks_release = lacks("the release", "git");

/** Building takes this long at most, also on a machine that is busy. */
export const release_timeout_ms = 1_800_000;

const git = (...args: string[]): Buffer => {
  const { exitCode, stdout, stderr } = Bun.spawnSync(["git", "--no-optional-locks", ...args], { cwd: root });
  if (exitCode !== 0) throw new Error(stderr.toString());
  return stdout;
};

/** The names of all files that git knows or would add. */
export const sourceFiles = (): string[] =>
  git("ls-files", "-z", "--cached", "--others", "--exclude-standard")
    .toString()
    .split("\0")
    .filter((name) => name !== "" && existsSync(join(root, name)));

/** A hash of the commit and of all files. */
function stateOfTree(): string {
  const hash = new Bun.SHA256().update(git("rev-parse", "HEAD"));
  for (const name of sourceFiles()) hash.update(`${name}\0`).update(readFileSync(join(root, name)));
  return hash.digest("hex");
}

/**
 * Returns the folder of the release, which has all files that `bun run release` makes. Builds it if files changed since. Tests that
 * run in another process at the same time wait for it.
 */
export async function release(): Promise<string> {
  const folder = join(dist, "release");
  const state = stateOfTree();
  const unlock = lock(join(dist, "release.lock"), release_timeout_ms);
  try {
    if (existsSync(state_file) && readFileSync(state_file, "utf8") === state) return folder;
    rmSync(state_file, { force: true });
    await makeRelease(root);
    writeFileSync(state_file, state);
    return folder;
  } finally {
    unlock();
  }
}

/** Runs `bun run release` in `directory` with additional variables and this umask. Throws with its output if it fails. */
export async function makeRelease(
  directory: string,
  environment: Record<string, string> = {},
  umask = "022",
): Promise<void> {
  const child = Bun.spawn(["sh", "-c", `umask ${umask} && exec "$0" run release`, process.execPath], {
    cwd: directory,
    env: { ...process.env, ...environment },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, errors, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (status !== 0) throw new Error(out + errors);
}
