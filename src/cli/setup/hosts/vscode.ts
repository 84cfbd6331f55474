/** VS Code: code.visualstudio.com/docs/agents/reference/mcp-configuration, …/docs/agent-customization/agent-skills and /hooks. */

import { join } from "node:path";
import type { Change, SetupHost, Wiring } from "../host.ts";
import { server_name, serverWords, skillIn } from "./words.ts";

function changes(wiring: Wiring): Change[] {
  const { home, environment } = wiring;
  const [command, ...args] = serverWords(wiring);
  return [
    {
      purpose: "tools",
      kind: "member",
      file: join(environment["XDG_CONFIG_HOME"] || join(home, ".config"), "Code/User/mcp.json"),
      at: ["servers", server_name],
      value: { type: "stdio", command, args },
    },
    skillIn(join(home, ".copilot/skills"), wiring),
  ];
}

export const vscode: SetupHost = {
  id: "vscode",
  title: "VS Code",
  tried_version: null,
  program: null,
  changes,
  check: () => null,
  start: null,
  remarks: [
    "The command `MCP: Open User Configuration` opens the file of your profile; on macOS it is `~/Library/Application Support/Code/User/mcp.json`.",
    "VS Code asks for your trust when the server starts first.",
    "`MCP: List Servers` shows whether it runs.",
    "Its hooks are a preview, and are not set up: ask the agent to look into its mailbox.",
  ],
};
