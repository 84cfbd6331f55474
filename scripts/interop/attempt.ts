/** Generates, compiles and runs one client in a temporary folder. Installs its tools into a cache outside the repository. */

import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import type { Client, Command, Tool } from "./clients.ts";

const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "wharf-interop");

export const steps = ["generated", "compiles", "round trip"] as const;

export type Outcome =
  | { state: "passed" }
  /** Why the client could not be tried here. */
  | { state: "skipped"; reason: string }
  /** The step that failed, and the output of its command. The client is still in `folder`. */
  | { state: "failed"; step: (typeof steps)[number]; output: string; folder: string };

/** Tries the client of `document`, an OpenAPI document in JSON, with the service at `url`. */
export async function attempt(client: Client, url: string, document: string): Promise<Outcome> {
  for (const tool of client.tools) {
    const reason = await missing(tool);
    if (reason !== null) return { state: "skipped", reason };
  }
  const folder = mkdtempSync(join(tmpdir(), "wharf-interop-"));
  const [file, path] = client.program;
  await Bun.write(join(folder, "openapi.json"), document);
  await Bun.write(join(folder, path), Bun.file(join(import.meta.dir, "round_trips", file)));
  for (const [name, text] of Object.entries(client.files)) await Bun.write(join(folder, name), text);

  const place = { of: folderOf };
  const commands = [client.generate(place), client.compile(place), [[...client.run(place), url]]];
  for (const [index, step] of steps.entries()) {
    for (const command of commands[index]!) {
      const output = await run(command, folder);
      if (output !== null) return { state: "failed", step, output, folder };
    }
  }
  rmSync(folder, { recursive: true });
  return { state: "passed" };
}

const folderOf = (tool: Tool): string => join(cache, tool.name);

/** Installs a tool unless it is installed. Returns why that cannot be done, or null. */
async function missing(tool: Tool): Promise<string | null> {
  for (const program of tool.needs) if (Bun.which(program) === null) return `${program} is missing`;
  const folder = folderOf(tool);
  const installed = join(folder, "installed");
  if (existsSync(installed)) return null;
  mkdirSync(folder, { recursive: true });
  for (const command of tool.install(folder)) {
    const output = await run(command, cache);
    if (output !== null) return `${tool.name} cannot be installed: ${output.trim().split("\n").at(-1)}`;
  }
  await Bun.write(installed, "");
  return null;
}

/** Runs a command. Returns its output if it fails, otherwise null. */
async function run(command: Command, cwd: string): Promise<string | null> {
  const child = Bun.spawn(command, { cwd, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const output = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return (await child.exited) === 0 ? null : `${command.join(" ")}\n${output.join("")}`;
}
