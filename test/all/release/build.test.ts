/** `bun run build` in a folder of files without a git repository, as somebody has who downloaded the source. */

import { afterAll, expect, test } from "bun:test";
import { cpSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { version } from "../../../package.json" with { type: "json" };
import { targetOfMachine } from "../../../scripts/release/targets.ts";
import { lacks_release, sourceFiles } from "../../support/release.ts";
import { newDirectory, removeDirectory } from "../../support/service.ts";

const root = join(import.meta.dir, "../../..");
const directory = newDirectory();
afterAll(() => removeDirectory(directory));

/** Runs a command to its end, and returns its output. Throws if it fails. */
function run(cwd: string, ...command: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd });
  if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${stderr.toString()}`);
  return stdout.toString();
}

test.skipIf(lacks_release)(
  "a build without a repository knows its target and no commit, not even of a repository around it",
  () => {
    run(directory, "git", "init", "--quiet");
    const author = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.org"];
    run(directory, "git", ...author, "commit", "--quiet", "--allow-empty", "--message", "Begin");
    const source = join(directory, "wharf");
    for (const name of sourceFiles()) {
      mkdirSync(dirname(join(source, name)), { recursive: true });
      cpSync(join(root, name), join(source, name));
    }
    expect(run(source, process.execPath, "run", "build")).toContain("dist/wharf is built");
    const facts = JSON.parse(run(source, "dist/wharf", "version", "--json")) as object;
    expect(facts).toMatchObject({ version, commit: null, target: targetOfMachine()!.name });
  },
);
