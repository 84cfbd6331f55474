/** Agent hosts for tests: how each is started with a scripted model, and how its model edits, reads and runs a command. */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Turn } from "./scripted_model.ts";

export interface AgentHost {
  name: string;
  /** The tool for commands. Every request of the main conversation offers it. */
  shell_tool: string;
  read(file: string): Turn;
  write(file: string, text: string): Turn;
  run(command: string): Turn;
  /** Where the recipe of docs/leases.md belongs in a repository. */
  recipe_file: string;
  /** Writes the settings that let it use the model. */
  settle(home: string, repository: string, model_url: string): void;
  /** What it is called with, and what it needs in its environment. */
  words: string[];
  environment(model_url: string): Record<string, string>;
}

function writeJson(file: string, value: object): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(value));
}

const claude: AgentHost = {
  name: "claude",
  shell_tool: "Bash",
  read: (file) => ({ tool: "Read", input: { file_path: file } }),
  write: (file, text) => ({ tool: "Write", input: { file_path: file, content: text } }),
  run: (command) => ({ tool: "Bash", input: { command, timeout: 300_000 } }),
  recipe_file: ".claude/settings.json",
  settle: () => {},
  words: ["claude", "-p", "Edit.", "--allowedTools", "Edit,Write,Read,Bash"],
  environment: (model_url) => ({
    ANTHROPIC_BASE_URL: model_url,
    ANTHROPIC_API_KEY: "sk-ant-none",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_TELEMETRY: "1",
  }),
};

const codex: AgentHost = {
  name: "codex",
  shell_tool: "exec_command",
  read: (file) => codex.run(`cat ${file}`),
  write: (file, text) => {
    const lines = text.trimEnd().split("\n");
    const added = lines.map((line) => `+${line}`).join("\n");
    return {
      tool: "apply_patch",
      input: { input: `*** Begin Patch\n*** Add File: ${file}\n${added}\n*** End Patch` },
    };
  },
  // It waits for the command, and does not leave it running in the background.
  run: (cmd) => ({ tool: "exec_command", input: { cmd, yield_time_ms: 300_000 } }),
  recipe_file: ".codex/hooks.json",
  settle(home, repository, model_url) {
    const lines = [
      // A model that gets the tool apply_patch.
      'model = "gpt-5.5"',
      'model_provider = "scripted"',
      "[model_providers.scripted]",
      'name = "scripted"',
      `base_url = ${JSON.stringify(`${model_url}/v1`)}`,
      'wire_api = "responses"',
      `[projects.${JSON.stringify(repository)}]`,
      'trust_level = "trusted"',
    ];
    mkdirSync(join(home, ".codex"), { recursive: true });
    writeFileSync(join(home, ".codex/config.toml"), lines.join("\n"));
  },
  words: [
    ...["codex", "exec", "--dangerously-bypass-hook-trust", "--dangerously-bypass-approvals-and-sandbox"],
    "Edit.",
  ],
  environment: () => ({}),
};

const gemini: AgentHost = {
  name: "gemini",
  shell_tool: "run_shell_command",
  read: (file) => ({ tool: "read_file", input: { file_path: file } }),
  write: (file, text) => ({ tool: "write_file", input: { file_path: file, content: text } }),
  run: (command) => ({ tool: "run_shell_command", input: { command } }),
  recipe_file: ".gemini/settings.json",
  settle(home) {
    writeJson(join(home, ".gemini/settings.json"), {
      security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
      privacy: { usageStatisticsEnabled: false },
      general: { disableAutoUpdate: true },
    });
  },
  words: ["gemini", "-m", "gemini-2.5-pro", "--approval-mode", "yolo", "--skip-trust", "-p", "Edit."],
  environment: (model_url) => ({ GEMINI_API_KEY: "none", GOOGLE_GEMINI_BASE_URL: model_url }),
};

const opencode: AgentHost = {
  name: "opencode",
  shell_tool: "bash",
  read: (file) => ({ tool: "read", input: { filePath: file } }),
  write: (file, text) => ({ tool: "write", input: { filePath: file, content: text } }),
  run: (command) => ({ tool: "bash", input: { command, description: "Runs it", timeout: 300_000 } }),
  recipe_file: ".opencode/plugins/wharf_leases.js",
  settle(home, _repository, model_url) {
    const scripted = {
      npm: "@ai-sdk/openai-compatible",
      name: "scripted",
      options: { baseURL: `${model_url}/v1`, apiKey: "none" },
      models: { scripted: { name: "scripted", tool_call: true } },
    };
    // XDG_CONFIG_HOME of guards.ts.
    writeJson(join(home, "config/opencode/opencode.json"), {
      provider: { scripted },
      model: "scripted/scripted",
      small_model: "scripted/scripted",
      autoupdate: false,
      permission: "allow",
    });
  },
  words: ["opencode", "run", "Edit."],
  environment: () => ({}),
};

export const agent_hosts = { claude, codex, gemini, opencode };

const document = readFileSync(join(import.meta.dir, "../../../docs/leases.md"), "utf8");

/** A block of docs/leases.md: `json claude` begins with "```json claude". */
export function recipe(info: string): string {
  const [, text] = document.split(`\`\`\`${info}\n`);
  if (text === undefined) throw new Error(`docs/leases.md has no block ${info}`);
  return text.slice(0, text.indexOf("\n```"));
}

/** Writes the recipe of a host into a repository. */
export function writeRecipe({ name, recipe_file }: AgentHost, repository: string): void {
  const file = join(repository, recipe_file);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, recipe(`${recipe_file.endsWith(".js") ? "js" : "json"} ${name}`));
}
