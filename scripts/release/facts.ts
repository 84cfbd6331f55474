/** What a release is made from: the version, and the commit with its time. */

import { join } from "node:path";
import { version } from "../../package.json" with { type: "json" };

export interface ReleaseFacts {
  /** The version in package.json. */
  version: string;
  /** The hash of the commit, with "-dirty" at its end if files differ from it. */
  commit: string;
  /** The time of every file in the release: when the commit was made, in seconds since 1970. */
  commit_time_seconds: number;
}

export const root = join(import.meta.dir, "../..");

/** What `git` prints for the repository at `root`; null if it fails or is not installed. */
function git(...args: string[]): string | null {
  if (Bun.which("git") === null) return null;
  const { exitCode, stdout } = Bun.spawnSync(["git", "--no-optional-locks", "-C", root, ...args]);
  return exitCode === 0 ? stdout.toString().trim() : null;
}

/** The facts of this folder; null if it is not the root of a git repository or git is not installed. */
export function releaseFacts(): ReleaseFacts | null {
  // A folder that was unpacked somewhere below another repository is none of its commits.
  if (git("rev-parse", "--show-prefix") !== "") return null;
  const [hash, seconds] = git("log", "-1", "--format=%H %ct")?.split(" ") ?? [];
  if (!hash) return null;
  const is_dirty = git("status", "--porcelain") !== "";
  return { version, commit: is_dirty ? `${hash}-dirty` : hash, commit_time_seconds: Number(seconds) };
}
