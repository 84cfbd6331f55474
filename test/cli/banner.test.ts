/** `wharf` alone, as a person starts it: at a terminal, in an empty directory. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { binary } from "../support/binary.ts";
import { oldClient } from "../support/mcp_clients.ts";
import { newDirectory, removeDirectory } from "../support/service.ts";
import { inTerminal } from "../support/terminal.ts";

const program = binary();
let directory: string;
beforeEach(() => void (directory = newDirectory()));
afterEach(() => removeDirectory(directory));

const start = (port: number | string, ...args: string[]) =>
  inTerminal([program, ...args], { cwd: directory, env: { WHARF_PORT: String(port) } });

/** The text of a row of the banner. */
const rowOf = (shown: string, what: string): string | undefined =>
  new RegExp(String.raw`^ {2}${what} +(\S.*?)\r?$`, "m").exec(shown)?.[1];

test("says what to open, where MCP and the data are, how to add it to an agent, and how to stop it", async () => {
  const wharf = start(0);
  const shown = await wharf.until(/Ctrl-C\r?\n/);
  const [, url] = /serving at (http:\S+)\/meet/.exec(shown)!;
  expect(rowOf(shown, "Open")).toBe(`${url}/`);
  expect(rowOf(shown, "MCP")).toBe(`${url}/mcp`);
  expect(rowOf(shown, "Add to an agent")).toEndWith(` ${url}/mcp`);
  expect(rowOf(shown, "Data")).toBe(join(directory, "wharf-data"));
  expect(rowOf(shown, "Other commands")).toBe("wharf --help (wharf alone is wharf serve)");
  expect(existsSync(join(directory, "wharf-data/wharf.db"))).toBe(true);
  expect(readdirSync(directory)).toEqual(["wharf-data"]);

  const page = await fetch(rowOf(shown, "Open")!, { headers: { accept: "text/html" } });
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("</html>")]);
  const client = await oldClient(rowOf(shown, "MCP")!);
  expect(await client.tools()).toContain("meet_open");
  await client.close();

  wharf.type("\x03");
  expect(await wharf.process.exited).toBe(0);
  // Neither color codes nor lines of the log.
  expect(wharf.shown()).not.toContain("\u001b");
  expect(wharf.shown()).not.toContain('{"at"');
});

test("shows the public address, if the service has one", async () => {
  const wharf = start(0, "serve", "--base-url", "https://wharf.example/deep", "--data-dir", "here");
  const shown = await wharf.until(/Ctrl-C\r?\n/);
  expect(rowOf(shown, "Open")).toBe("https://wharf.example/deep/");
  expect(rowOf(shown, "MCP")).toBe("https://wharf.example/deep/mcp");
  expect(rowOf(shown, "Data")).toBe(join(directory, "here"));
  expect(rowOf(shown, "Other commands")).toBeUndefined();
  wharf.type("\x03");
  expect(await wharf.process.exited).toBe(0);
});

test("writes its log as text if standard error is the terminal, and as JSON lines if that is set", async () => {
  for (const [args, line] of [
    [[], /Z INFO  request .*route=\/healthz/],
    [["--log-format", "json"], /^\{"at":.*"route":"\/healthz"/m],
  ] as const) {
    const wharf = start(0, "serve", "--access-log", "full", ...args);
    const shown = await wharf.until(/Ctrl-C\r?\n/);
    await fetch(`${/serving at (http:\S+)\/meet/.exec(shown)![1]}/healthz`);
    await wharf.until(line);
    wharf.type("\x03");
    expect(await wharf.process.exited).toBe(0);
  }
});

test("shows no address to open for a unix socket", async () => {
  const wharf = start(0, "serve", "--socket", "wharf.socket");
  const shown = await wharf.until(/Ctrl-C\r?\n/);
  expect(shown).toContain("serving at unix:wharf.socket");
  expect([rowOf(shown, "Open"), rowOf(shown, "MCP")]).toEqual([undefined, undefined]);
  wharf.type("\x03");
  expect(await wharf.process.exited).toBe(0);
});

test("prints the one line that programs read if standard output is no terminal", async () => {
  const child = Bun.spawn([program], {
    cwd: directory,
    env: { PATH: process.env.PATH, WHARF_PORT: "0" },
    stdout: "pipe",
    stderr: "pipe",
  });
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
  const rest = await reader.read();
  expect(new TextDecoder().decode(value)).toMatch(
    /^wharf is serving at http:\S+\/meet \(data in \.\/wharf-data\)\n$/,
  );
  expect(rest.done).toBe(true);
  expect(await new Response(child.stderr).text()).toBe("");
});

test("says what to do if the port is taken, and ends with status 1", async () => {
  const other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("") });
  const port = other.port!;
  const wharf = start(port);
  expect(await wharf.process.exited).toBe(1);
  await other.stop(true);
  expect(wharf.shown()).toContain(
    `127.0.0.1:${port} is taken. Start with another --port (0 lets the system choose)`,
  );
});
