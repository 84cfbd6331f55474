/** Agent hosts that behave as real ones do, for tests of `wharf setup`: programs on a PATH, and what setup knows of them. */

import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  lstatSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { SetupHost } from "../../src/cli/setup/host.ts";
import { shellLine } from "../../src/cli/setup/own_command.ts";

const serverOf = (wharf: string[], url: string, name: string) => {
  const [command, ...args] = [...wharf, "mcp", "--url", url, "--as", name];
  return { command: command!, args };
};

const hookOf = (wharf: string[], url: string, name: string, host: string) => ({
  hooks: [
    {
      type: "command",
      command: shellLine([...wharf, "inbox", "--hook", host, "--url", url, "--as", name]),
    },
  ],
});

/** It has a command for its servers, which writes `~/.alpha.json` in its own layout. */
const alpha: SetupHost = {
  id: "alpha",
  title: "Alpha",
  tried_version: null,
  program: "alpha",
  changes({ wharf, url, name, home, skill }) {
    const server = serverOf(wharf, url, name);
    return [
      {
        purpose: "tools",
        file: join(home, ".alpha.json"),
        kind: "command",
        add: ["alpha", "mcp", "add", "wharf", "--", server.command, ...server.args],
        remove: ["alpha", "mcp", "remove", "wharf"],
        entry: (text) => (JSON.parse(text) as { mcpServers?: Record<string, unknown> }).mcpServers?.["wharf"],
        isWanted: (entry) => Bun.deepEquals(entry, { type: "stdio", ...server }),
      },
      { purpose: "skill", file: join(home, ".alpha/skills/wharf/SKILL.md"), kind: "own_file", text: skill },
      {
        purpose: "wake-up",
        file: join(home, ".alpha/settings.json"),
        kind: "item",
        at: ["hooks", "Stop"],
        value: hookOf(wharf, url, name, "alpha"),
      },
      {
        purpose: "wake-up",
        file: join(home, ".alpha/settings.json"),
        kind: "item",
        at: ["hooks", "Prompt"],
        value: hookOf(wharf, url, name, "alpha"),
      },
    ];
  },
  check: () => ({ command: ["alpha", "mcp", "list"], connected: /wharf: .* connected/ }),
  start: null,
  remarks: ["Alpha asks whether you trust the hooks."],
};

/** It reads its settings from a file with comments. */
const beta = (id: string, start: SetupHost["start"]): SetupHost => ({
  id,
  title: id,
  tried_version: null,
  program: id,
  changes({ wharf, url, name, home, skill }) {
    const file = join(home, `.${id}/settings.json`);
    return [
      {
        purpose: "tools",
        file,
        kind: "member",
        at: ["mcpServers", "wharf"],
        value: serverOf(wharf, url, name),
      },
      { purpose: "skill", file: join(home, ".agents/skills/wharf/SKILL.md"), kind: "own_file", text: skill },
      { purpose: "wake-up", file, kind: "item", at: ["hooks", "Stop"], value: hookOf(wharf, url, name, id) },
    ];
  },
  check: () => null,
  start,
  remarks: [],
});

export const stand_in_hosts: SetupHost[] = [
  alpha,
  beta("beta", null),
  beta("gamma", (prompt) => ({ words: ["gamma", prompt] })),
];

/**
 * What `alpha` and `claude` do: their servers are in a file that they write as a whole. With SEEN they save the words of all processes
 * there. With HELD they make that file, and write theirs when it is gone.
 */
const program_with_servers = `
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
const id = basename(process.argv[1]);
const file = process.env.HOME + "/." + id + ".json";
const [, action, ...words] = process.argv.slice(2);
const [command, ...args] = words.slice(words.indexOf("--") + 1);
if (process.env.ALPHA_FAILS) { console.error("Alpha is not signed in."); process.exit(7); }
if (process.env.LEAVES) {
  const child = Bun.spawn(["sleep", "600"], { stdio: ["ignore", "inherit", "inherit"] });
  child.unref();
  writeFileSync(process.env.LEAVES, String(child.pid));
}
const wordsOf = (pid) => { try { return readFileSync("/proc/" + pid + "/cmdline", "latin1"); } catch { return ""; } };
if (process.env.SEEN) writeFileSync(process.env.SEEN, readdirSync("/proc").map(wordsOf).join("\\n"));
if (process.env.HELD) {
  writeFileSync(process.env.HELD, "");
  while (existsSync(process.env.HELD)) await Bun.sleep(5);
}
const config = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
config.mcpServers ??= {};
if (action === "add") {
  if (config.mcpServers.wharf) { console.error("wharf is there already."); process.exit(1); }
  config.mcpServers.wharf = { type: "stdio", command, args, ...(id === "claude" && { env: {} }) };
}
if (action === "remove") delete config.mcpServers.wharf;
if (action === "list") for (const one of Object.keys(config.mcpServers)) console.log(one + ": ok, connected");
else writeFileSync(file, JSON.stringify(config, null, 2));
`;

/** Puts the programs of these hosts into a folder. */
export function installHosts(folder: string, ids: string[]): void {
  mkdirSync(folder, { recursive: true });
  for (const id of ids) {
    const is_program = id === "alpha" || id === "claude";
    const text = is_program ? `#!${process.execPath}\n${program_with_servers}` : "#!/bin/sh\n";
    writeFileSync(join(folder, id), text);
    chmodSync(join(folder, id), 0o755);
  }
}

/** Everything below a folder: the bytes of files, the targets of links, the modes. */
export function treeOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted();
  return Object.fromEntries(
    names.map((name) => {
      const path = join(folder, name);
      const found = lstatSync(path);
      const content = found.isSymbolicLink()
        ? `-> ${readlinkSync(path)}`
        : found.isFile()
          ? readFileSync(path, "latin1")
          : "a folder";
      return [name, `${(found.mode & 0o777).toString(8)} ${content}`];
    }),
  );
}
