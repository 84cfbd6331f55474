/** Python environments with the official client, and with pytest. */

import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { lock } from "../../src/storage/sqlite/lock.ts";
import { lacks } from "./programs.ts";

/** A folder for what tests install once. */
export const environments = join(import.meta.dir, "../../.venvs");

export const lacks_python = lacks("the Python clients of MCP", "python3");

/** The versions of the client that tests use. */
export const python_versions = lacks_python ? [] : ["1.30.0", "2.3.0"];

/** Installing a version takes this long at most. */
export const install_timeout_ms = 300_000;

/** Calls `make` in one process at a time: several files of tests may want the same at once. */
export function makeAlone(name: string, make: () => void): void {
  mkdirSync(environments, { recursive: true });
  const unlock = lock(join(environments, `${name}.lock`), install_timeout_ms);
  try {
    make();
  } finally {
    unlock();
  }
}

/** The Python of an environment with this version of a package. Makes the environment if there is none. */
export function pythonWith(version: string, name = "mcp"): string {
  const directory = join(environments, `${name}-${version}`);
  const python = join(directory, "bin/python");
  makeAlone(`${name}-${version}`, () => install(directory, `${name}==${version}`));
  return python;
}

/** Makes an environment with a package, unless it is there. */
function install(directory: string, requirement: string): void {
  const python = join(directory, "bin/python");
  const installed = join(directory, "installed");
  if (existsSync(installed)) return;
  for (const command of [
    ["python3", "-m", "venv", "--clear", directory],
    [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", requirement],
    ["touch", installed],
  ]) {
    const { exitCode, stderr } = Bun.spawnSync(command);
    if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${stderr.toString()}`);
  }
}

/** The lines that a process prints, as they come. */
export async function* linesOf(output: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of output) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop()!;
    yield* lines;
  }
}
