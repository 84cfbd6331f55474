/** `bun run build` without a git repository, as after a download of the source, and refusals of `bun run release`. */

import { afterAll, expect, test } from "bun:test";
import { cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
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

test.skipIf(lacks_release)(
  "a release is not made in a folder with other files, nor for an unknown system",
  () => {
    const folder = join(directory, "mine");
    mkdirSync(folder);
    writeFileSync(join(folder, "notes.txt"), "mine");
    const refusal = (...options: string[]): string => {
      const command = [process.execPath, "scripts/release/main.ts", ...options];
      const { exitCode, stderr } = Bun.spawnSync(command, { cwd: root });
      expect(exitCode).toBe(1);
      return stderr.toString();
    };
    expect(refusal("--out", folder)).toContain(`${folder} is not empty`);
    expect(readdirSync(folder)).toEqual(["notes.txt"]);
    expect(refusal("--out", join(directory, "new"), "--target", "linux-x86")).toContain(
      "Targets: linux-x64,",
    );
  },
);
