/** Python environments with the official client, and with pytest. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { lacks } from "./programs.ts";

const environments = join(import.meta.dir, "../../.venvs");

export const lacks_python = lacks("the Python clients of MCP", "python3");

/** The versions of the client that tests use. */
export const python_versions = lacks_python ? [] : ["1.30.0", "2.3.0"];

/** Installing a version takes this long at most. */
export const install_timeout_ms = 300_000;

/** The Python of an environment with this version of a package. Makes the environment if there is none. */
export function pythonWith(version: string, name = "mcp"): string {
  const directory = join(environments, `${name}-${version}`);
  const python = join(directory, "bin/python");
  const installed = join(directory, "installed");
  if (existsSync(installed)) return python;
  for (const command of [
    ["python3", "-m", "venv", "--clear", directory],
    [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", `${name}==${version}`],
    ["touch", installed],
  ]) {
    const { exitCode, stderr } = Bun.spawnSync(command);
    if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${stderr.toString()}`);
  }
  return python;
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
