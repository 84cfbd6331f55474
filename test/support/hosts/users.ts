/** Users of agent hosts for tests of `wharf setup`: their settings, and how their hosts work with a scripted model. */

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { agent_hosts, type AgentHost } from "./agent_hosts.ts";
import type { Turn } from "./scripted_model.ts";

export interface HostUser {
  host: AgentHost;
  /** The settings, by their paths from the home, with comments and another server where the host takes them. */
  settings(model_url: string, repository: string): Record<string, string>;
  /** Which of these a set-up changes, and is broken in a test. */
  changed: string;
  broken: string;
  /** The members that the host adds itself to a file at each start, so that it is compared without them; null: it adds none. */
  rewritten: string | null;
  /** What the host is called with: it works without a person, and may use the tools of wharf. */
  words: string[];
  environment(model_url: string): Record<string, string>;
  /** A call of a tool of the server `wharf`. */
  call(tool: string, input: object): Turn;
}

const another = { command: "true", args: [] as string[] };

const claude: HostUser = {
  host: agent_hosts.claude,
  settings: () => ({
    ".claude.json": `{"numStartups":3,   "mcpServers":\n{"other":${JSON.stringify(another)}}, "mine":[1,2,  3]}`,
    ".claude/settings.json": `{\n\t"cleanupPeriodDays":   30,\n\t"hooks": {"Stop": [ {"hooks":[{"type":"command","command":"true"}]} ]}\n}`,
  }),
  changed: ".claude/settings.json",
  broken: '{"cleanupPeriodDays": ',
  rewritten: ".claude.json",
  words: ["claude", "-p", "Work.", "--allowedTools", "Edit,Write,Read,Bash,mcp__wharf"],
  environment: (model_url) => ({ ...agent_hosts.claude.environment(model_url), ENABLE_TOOL_SEARCH: "false" }),
  call: (tool, input) => ({ tool: `mcp__wharf__${tool}`, input }),
};

const codex: HostUser = {
  host: agent_hosts.codex,
  settings: (model_url, repository) => ({
    ".codex/config.toml": `# What I use.
model = "gpt-5.5"   # the good one
model_provider = "scripted"

[model_providers.scripted]
name = "scripted"
base_url = "${model_url}/v1"
wire_api = "responses"

[mcp_servers.other] # another
command = "true"
args = [ "a",   'b' ]

[projects.${JSON.stringify(repository)}]
trust_level = "trusted"
`,
    ".codex/hooks.json": `{"hooks":   {"Stop":[{"hooks":[{"type":"command","command":"true"}]}]}}\n`,
  }),
  changed: ".codex/config.toml",
  broken: "model = ",
  rewritten: null,
  words: [
    ...["codex", "exec", "--dangerously-bypass-hook-trust", "--dangerously-bypass-approvals-and-sandbox"],
    "Work.",
  ],
  environment: () => ({}),
  call: (tool, input) => ({ tool, namespace: "mcp__wharf", input }),
};

const gemini: HostUser = {
  host: agent_hosts.gemini,
  // It writes a file anew that has a setting of an earlier version.
  settings: () => ({
    ".gemini/settings.json": `{
  // What I use.
  "security": { "auth": { "selectedType": "gemini-api-key" } },
  "privacy": { "usageStatisticsEnabled": false },
  "general": { "enableAutoUpdate": false },
  "mcpServers": {"other": ${JSON.stringify(another)}}, /* another */
  "hooks": { "AfterAgent": [ { "hooks": [ { "type": "command", "command": "true" } ] } ] }
}`,
  }),
  changed: ".gemini/settings.json",
  broken: '{ "security": ',
  rewritten: null,
  words: ["gemini", "-m", "gemini-2.5-pro", "--approval-mode", "yolo", "--skip-trust", "-p", "Work."],
  environment: agent_hosts.gemini.environment,
  call: (tool, input) => ({ tool: `mcp_wharf_${tool}`, input }),
};

const opencode: HostUser = {
  host: agent_hosts.opencode,
  // It adds a line `$schema` to a file without one.
  settings: (model_url) => ({
    ".config/opencode/opencode.jsonc": `{
  // What I use.
  "$schema": "https://opencode.ai/config.json",
  "provider": { "scripted": {
    "npm": "@ai-sdk/openai-compatible",
    "options": { "baseURL": "${model_url}/v1", "apiKey": "none" },
    "models": { "scripted": { "name": "scripted", "tool_call": true } },
  } },
  "model": "scripted/scripted",
  "small_model": "scripted/scripted",
  "autoupdate": false,
  "permission": "allow",
  "mcp": {"other": {"type": "local", "command": ["true"], "enabled": false}}, // another
}
`,
  }),
  changed: ".config/opencode/opencode.jsonc",
  broken: '{ "mcp": ',
  rewritten: null,
  words: ["opencode", "run", "Work."],
  environment: () => ({}),
  call: (tool, input) => ({ tool: `wharf_${tool}`, input }),
};

export const host_users = [claude, codex, gemini, opencode];

/** Writes files by their paths from a folder. */
export function writeFiles(folder: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
