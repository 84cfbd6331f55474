/** Runs git for its hooks. Git gives a hook the repository, the index and the objects of a push by its environment and its folder. */

import { withReason } from "../../../../core/log.ts";

export interface Git {
  /** Runs git until it ends. Returns what it prints; throws a user-facing error if it fails. `input`: its standard input. */
  run(args: string[], input?: string): Promise<string>;
  /** The same; null if git fails. */
  ask(args: string[]): Promise<string | null>;
}

/** The git of an environment, in the current folder. */
export function gitOf(environment: Record<string, string | undefined>, cwd?: string): Git {
  const start = async (args: string[], input = "") => {
    const child = Bun.spawn(["git", ...args], {
      env: environment,
      ...(cwd !== undefined && { cwd }),
      stdin: new Blob([input]),
      stdout: "pipe",
      stderr: "pipe",
    });
    const [printed, errors, status] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    return { printed, errors, status };
  };
  return {
    async run(args, input) {
      const { printed, errors, status } = await start(args, input);
      if (status === 0) return printed;
      throw withReason(`git ${args[0]} failed`, new Error(errors.trim() || `status ${status}`));
    },
    async ask(args) {
      const { printed, status } = await start(args);
      return status === 0 ? printed : null;
    },
  };
}

/** Options for lists of changed paths: the old and the new path of a rename, from the top, whatever the settings of the user say. */
export const plain_paths = ["--name-only", "-z", "--no-renames", "--no-relative", "--ignore-submodules=none"];

/** The paths that git prints with -z. */
export const pathsIn = (printed: string): string[] => printed.split("\0").filter((path) => path !== "");
