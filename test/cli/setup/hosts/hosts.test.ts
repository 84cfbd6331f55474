/** What `wharf setup` changes for each host, and how it reads what the hosts print. Their formats were recorded from their programs. */

import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Change, SetupHost, Wiring } from "../../../../src/cli/setup/host.ts";
import { hostOf, setup_hosts } from "../../../../src/cli/setup/hosts.ts";
import { newDirectory } from "../../../support/service.ts";

const wiring: Wiring = {
  wharf: ["/opt/wharf"],
  url: "http://127.0.0.1:4273",
  name: "ada",
  home: "/home/ada",
  environment: {},
  skill: "---\nname: wharf\n---\n",
};

interface Recorded {
  version: string;
  /** The file after the host's own command has added our server. */
  added: string;
  /** What its list prints. */
  listed?: { connected: string; [fault: string]: string };
}

const recorded = (id: string): Recorded =>
  JSON.parse(
    readFileSync(join(import.meta.dir, `../../../fixtures/setup_hosts/${id}.json`), "utf8"),
  ) as Recorded;

const host = (id: string): SetupHost => hostOf(id)!;
/** A line for each change: what for, the file, and where in it. */
const outline = (id: string, more: Partial<Wiring> = {}): string[] =>
  host(id)
    .changes({ ...wiring, ...more })
    .map((change) =>
      [change.purpose, change.kind, change.file, ...("at" in change ? change.at : [])].join(" "),
    );
const tools = (id: string): Change =>
  host(id)
    .changes(wiring)
    .find(({ purpose }) => purpose === "tools")!;
const hooks = (id: string): Record<string, unknown>[] =>
  host(id)
    .changes(wiring)
    .flatMap((change) =>
      change.kind === "item" ? [{ event: change.at.at(-1), ...(change.value as object) }] : [],
    );

describe("the changes", () => {
  test("of Claude Code", () => {
    expect(outline("claude")).toEqual([
      "tools command /home/ada/.claude.json",
      "skill own_file /home/ada/.claude/skills/wharf/SKILL.md",
      "wake-up item /home/ada/.claude/settings.json hooks UserPromptSubmit",
      "wake-up item /home/ada/.claude/settings.json hooks Stop",
      "leases item /home/ada/.claude/settings.json hooks PreToolUse",
      "leases item /home/ada/.claude/settings.json hooks SessionEnd",
    ]);
    const command = "/opt/wharf inbox --hook claude --as ada --url http://127.0.0.1:4273";
    expect(hooks("claude")[0]).toEqual({
      event: "UserPromptSubmit",
      hooks: [{ type: "command", command, timeout: 10 }],
    });
  });

  test("of Codex", () => {
    expect(outline("codex")).toEqual([
      "tools table /home/ada/.codex/config.toml mcp_servers wharf",
      "skill own_file /home/ada/.codex/skills/wharf/SKILL.md",
      "wake-up item /home/ada/.codex/hooks.json hooks UserPromptSubmit",
      "wake-up item /home/ada/.codex/hooks.json hooks Stop",
      "leases item /home/ada/.codex/hooks.json hooks PreToolUse",
      "leases item /home/ada/.codex/hooks.json hooks SessionEnd",
    ]);
    const guard = "/opt/wharf lease guard --hook codex --as ada";
    expect(hooks("codex")[2]).toEqual({
      event: "PreToolUse",
      matcher: "^(apply_patch|Bash)$",
      hooks: [{ type: "command", command: guard, timeout: 10 }],
    });
  });

  test("of Gemini CLI", () => {
    expect(outline("gemini")).toEqual([
      "tools member /home/ada/.gemini/settings.json mcpServers wharf",
      "skill own_file /home/ada/.gemini/skills/wharf/SKILL.md",
      "wake-up item /home/ada/.gemini/settings.json hooks BeforeAgent",
      "wake-up item /home/ada/.gemini/settings.json hooks AfterAgent",
      "leases item /home/ada/.gemini/settings.json hooks BeforeTool",
      "leases item /home/ada/.gemini/settings.json hooks SessionEnd",
    ]);
    const guard = "/opt/wharf lease guard --hook gemini --as ada";
    expect(hooks("gemini")[2]).toEqual({
      event: "BeforeTool",
      matcher: "^(write_file|replace)$",
      hooks: [{ type: "command", command: guard, name: "wharf-leases", timeout: 10_000 }],
    });
  });

  test("of opencode, whose file may be one with comments in its name", () => {
    expect(outline("opencode")).toEqual([
      "tools member /home/ada/.config/opencode/opencode.json mcp wharf",
      "skill own_file /home/ada/.config/opencode/skills/wharf/SKILL.md",
      "wake-up own_file /home/ada/.config/opencode/plugins/wharf_inbox.js",
      "leases own_file /home/ada/.config/opencode/plugins/wharf_leases.js",
    ]);
    const home = newDirectory();
    const folder = join(home, ".config/opencode");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "opencode.jsonc"), "{}");
    expect(outline("opencode", { home })[0]).toBe(`tools member ${folder}/opencode.jsonc mcp wharf`);
    writeFileSync(join(folder, "opencode.json"), "{}");
    expect(outline("opencode", { home })[0]).toBe(`tools member ${folder}/opencode.json mcp wharf`);
  });

  test.each([
    ["claude", { CLAUDE_CONFIG_DIR: "/c" }, "/c/.claude.json", "/c/settings.json"],
    ["codex", { CODEX_HOME: "/c" }, "/c/config.toml", "/c/hooks.json"],
    ["gemini", { GEMINI_CLI_HOME: "/c" }, "/c/.gemini/settings.json", "/c/.gemini/skills/wharf/SKILL.md"],
    [
      "opencode",
      { XDG_CONFIG_HOME: "/c" },
      "/c/opencode/opencode.json",
      "/c/opencode/plugins/wharf_inbox.js",
    ],
  ])("of %s are where its variable says", (id, environment, ...files) => {
    const changed = host(id)
      .changes({ ...wiring, environment })
      .map(({ file }) => file);
    expect(changed).toEqual(expect.arrayContaining(files));
    expect(changed.filter((file) => !file.startsWith("/c/"))).toEqual([]);
  });

  test("of hosts whose program was not tried are a server and the skill", () => {
    const untried = setup_hosts.filter(({ tried_version }) => tried_version === null);
    expect(untried.map(({ id, program }) => [id, program])).toEqual([
      ["vscode", null],
      ["cursor", null],
      ["goose", null],
    ]);
    for (const { changes } of untried)
      expect(changes(wiring).map(({ purpose }) => purpose)).toEqual(["tools", "skill"]);
  });

  test("have words for a shell that may have spaces and quotes", () => {
    const [first] = host("claude")
      .changes({ ...wiring, wharf: ["/opt/it's here/bun", "/src/main.ts"] })
      .filter(({ kind }) => kind === "item");
    const { hooks } = (first as { value: { hooks: { command: string }[] } }).value;
    const { stdout } = Bun.spawnSync(["sh", "-c", `printf '%s\\n' ${hooks[0]!.command}`]);
    expect(stdout.toString().split("\n").slice(0, 4)).toEqual([
      "/opt/it's here/bun",
      "/src/main.ts",
      "inbox",
      "--hook",
    ]);
  });
});

describe("what a host's own command adds", () => {
  test("is found in the file of Claude Code", () => {
    const change = tools("claude");
    if (change.kind !== "command") throw new Error("no command");
    const { added } = recorded("claude");
    expect(change.isWanted(change.entry(added))).toBe(true);
    expect(change.isWanted(change.entry(added.replace("--as", "--for")))).toBe(false);
    expect(change.entry(added.replaceAll("wharf", "another"))).toBeUndefined();
    expect(() => change.entry('{"mcpServers": ')).toThrow("is no JSON");
  });

  test("is the table that setup adds to the file of Codex itself", () => {
    const change = tools("codex");
    if (change.kind !== "table") throw new Error("no table");
    expect(Bun.TOML.parse(recorded("codex").added)).toMatchObject({ mcp_servers: { wharf: change.value } });
  });

  test.each([
    ["gemini", "mcpServers"],
    ["opencode", "mcp"],
  ])("is the member that setup adds to the file of %s itself", (id, servers) => {
    const change = tools(id);
    if (change.kind !== "member") throw new Error("no member");
    const file = Bun.JSONC.parse(recorded(id).added) as Record<string, Record<string, object>>;
    expect(change.at).toEqual([servers, "wharf"]);
    expect(change.value).toMatchObject(file[servers]!["wharf"]!);
  });
});

describe("the list of servers", () => {
  test.each(["claude", "gemini", "opencode"])("of %s shows whether ours answers", (id) => {
    const { connected } = host(id).check(wiring)!;
    const { connected: answering, ...faults } = recorded(id).listed!;
    expect(connected.test(answering)).toBe(true);
    for (const printed of Object.values(faults)) expect(connected.test(printed)).toBe(false);
  });
});

test("each version that was tried is the recorded one", () => {
  for (const { id, tried_version } of setup_hosts)
    if (tried_version !== null) expect(recorded(id).version).toBe(tried_version);
});
