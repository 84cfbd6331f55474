/** Two releases of one commit are the same, on every machine and for every user. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  lacks_release,
  makeRelease,
  release,
  release_timeout_ms,
  sourceFiles,
} from "../../support/release.ts";
import { newDirectory, removeDirectory } from "../../support/service.ts";

const root = join(import.meta.dir, "../../..");

/** The hash of each file below `folder`, by its name. */
const hashes = (folder: string): Record<string, string> =>
  Object.fromEntries(
    [...new Bun.Glob("**/*").scanSync({ cwd: folder, dot: true })]
      .sort()
      .map((name) => [name, Bun.SHA256.hash(readFileSync(join(folder, name)), "hex")]),
  );

describe.skipIf(lacks_release)("a release", () => {
  const directory = newDirectory();
  afterAll(() => removeDirectory(directory));
  let first: Record<string, string>;
  beforeAll(async () => void (first = hashes(await release())), release_timeout_ms);

  test(
    "has the same bytes when it is made again in another folder, time zone and language, with other permissions",
    async () => {
      const copy = join(directory, "another folder");
      run("git", "clone", "--quiet", "--no-checkout", root, copy);
      run("git", "-C", copy, "reset", "--quiet");
      // The files as they are here, committed or not.
      for (const name of sourceFiles()) {
        mkdirSync(dirname(join(copy, name)), { recursive: true });
        cpSync(join(root, name), join(copy, name));
      }
      const home = join(directory, "home");
      mkdirSync(home);
      // Packages need not be downloaded again.
      const cache = run(process.execPath, "pm", "cache").trim();
      const variables = { HOME: home, TZ: "Pacific/Kiritimati", LC_ALL: "C", BUN_INSTALL_CACHE_DIR: cache };
      await makeRelease(copy, variables, "077");
      expect(hashes(join(copy, "dist/release"))).toEqual(first);
    },
    release_timeout_ms,
  );
});

function run(...command: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd: root });
  if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${stderr.toString()}`);
  return stdout.toString();
}
