/** The official Python client, 1.x and 2.x, against the compiled binary. Each version is installed in a folder of its own. */

import { beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { post } from "../../support/http.ts";
import { lacks } from "../../support/programs.ts";
import { newDirectory, removeDirectory, startBinary } from "../../support/service.ts";

const environments = join(import.meta.dir, "../../../.venvs");
const install_timeout_ms = 300_000;

/** The Python of an environment with this version of the client, made when it is not there. */
function pythonWith(version: string): string {
  const directory = join(environments, `mcp-${version}`);
  const python = join(directory, "bin/python");
  const installed = join(directory, "installed");
  if (existsSync(installed)) return python;
  for (const command of [
    ["python3", "-m", "venv", "--clear", directory],
    [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", `mcp==${version}`],
    ["touch", installed],
  ]) {
    const { exitCode, stderr } = Bun.spawnSync(command);
    if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${stderr.toString()}`);
  }
  return python;
}

interface Said {
  event: "waiting" | "ended" | "again";
  text?: string;
  error?: string;
}

/** What the script prints, an object a line, as it comes. */
async function* saidBy(process: Bun.Subprocess<"ignore", "pipe", "inherit">): AsyncGenerator<Said> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of process.stdout) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop()!;
    for (const line of lines) yield JSON.parse(line) as Said;
  }
}

const no_python = lacks("the Python clients of MCP", "python3");

describe.skipIf(no_python).each(["1.30.0", "2.3.0"])("mcp %s", (version) => {
  let python: string;
  beforeAll(() => {
    python = pythonWith(version);
  }, install_timeout_ms);

  test("a call that a crash cuts short ends with an error, and the session continues", async () => {
    const data_dir = newDirectory();
    const before = await startBinary({ data_dir });
    const room = { goal: "Wait", name: "Ada" };
    const { slug } = (await post<{ slug: string }>(`${before.url}/api/meet/rooms`, room)).body;
    const client = Bun.spawn([python, join(import.meta.dir, "resume.py"), `${before.url}/mcp`, slug], {
      stdin: "ignore",
      stdout: "pipe",
      stderr: "inherit",
    });
    const said: Said[] = [];
    let after = before;
    for await (const line of saidBy(client)) {
      said.push(line);
      if (line.event !== "waiting" || after !== before) continue;
      before.process.kill("SIGKILL");
      await before.process.exited;
      after = await startBinary({ data_dir, port: Number(new URL(before.url).port) });
    }
    expect(said).toEqual([
      { event: "waiting" },
      { event: "ended", error: expect.stringContaining("not available any more") },
      { event: "again", text: expect.stringContaining("Wait") },
    ]);
    expect(await client.exited).toBe(0);
    await after.stop();
    removeDirectory(data_dir);
  });
});
