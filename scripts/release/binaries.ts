/** Builds the executable for one system. */

import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { root } from "./facts.ts";
import { signedForMac } from "./mac_signature.ts";
import { devDependencies } from "./runtimes/package.json" with { type: "json" };
import type { Target } from "./targets.ts";

/** The files where the program and its threads begin. */
export const entries = [
  "src/main.ts",
  "src/app/writer_worker.ts",
  "src/app/search_worker.ts",
  "src/app/integrity_worker.ts",
  "src/app/backup_worker.ts",
];

/** The folder with Bun's executables for all targets; its lock file has their hashes. */
const runtimes = join(import.meta.dir, "runtimes");

/**
 * Installs Bun's executables for all targets, hundreds of MB. The package manager checks them against the lock file. `bun build`
 * would download them without one. Throws if they are of another version than the Bun that runs this.
 */
export async function installRuntimes(): Promise<void> {
  const other = Object.values(devDependencies).find((version) => version !== Bun.version);
  if (other) throw new Error(`A release needs Bun ${other}, which it contains; this is Bun ${Bun.version}.`);
  await run(["install", "--frozen-lockfile", "--silent", "--os=*", "--cpu=*"], runtimes);
}

/** Builds the executable for `target` and writes it to `path`. `installRuntimes` must have run. */
export const buildBinary = (target: Target, path: string, commit: string): Promise<void> =>
  compile(path, target, commit, target.name, [
    `--target=bun-${target.bun}`,
    `--compile-executable-path=${join(runtimes, `node_modules/@oven/bun-${target.bun}/bin/bun${target.exe}`)}`,
  ]);

/**
 * Builds the executable for this machine with the Bun that runs this, and writes it to `path`. `target` is the name of the
 * target if the machine is one, `commit` the commit if it is known.
 */
export const buildHere = (path: string, commit: string | null, target: string | null): Promise<void> =>
  compile(path, { os: process.platform, cpu: process.arch }, commit, target, []);

async function compile(
  path: string,
  system: { os: string; cpu: string },
  commit: string | null,
  target: string | null,
  options: string[],
): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  // Bun writes source maps beside the executable, which has them inside, too.
  const folder = mkdtempSync(join(dirname(path), ".build-"));
  const built = join(folder, basename(path));
  try {
    await run([
      // In pieces, so that a start reads only what it needs, and threads share what they have in common.
      ...["build", "--compile", "--bytecode", "--format=esm", "--splitting", "--sourcemap"],
      // Code that runs once at the start is not worth compiling; src/cli/program.ts and serving.ts go back to 1.
      "--compile-jit-policy=16",
      ...["--no-compile-autoload-dotenv", "--no-compile-autoload-bunfig", "--entry-naming", "[name].[ext]"],
      ...["--define", `BUILD_COMMIT=${JSON.stringify(commit)}`],
      ...["--define", `BUILD_TARGET=${JSON.stringify(target)}`],
      ...options,
      ...entries,
      ...["--outfile", built],
    ]);
    // Bun signs programs for arm64 itself.
    if (system.os === "darwin" && system.cpu === "x64")
      writeFileSync(built, signedForMac(readFileSync(built), "wharf"));
    renameSync(built, path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs Bun with `args`. Throws with its output if it fails. */
async function run(args: string[], cwd = root): Promise<void> {
  const child = Bun.spawn([process.execPath, ...args], { cwd, stdout: "pipe", stderr: "pipe" });
  const [out, errors, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (status !== 0) throw new Error(`bun ${args.join(" ")} failed:\n${out}${errors}`);
}
