/** Cursor: cursor.com/docs/mcp, …/docs/context/skills, …/docs/hooks. */

import { join } from "node:path";
import type { Change, SetupHost, Wiring } from "../host.ts";
import { server_name, serverWords, skillIn } from "./words.ts";

function changes(wiring: Wiring): Change[] {
  const folder = join(wiring.home, ".cursor");
  const [command, ...args] = serverWords(wiring);
  return [
    {
      purpose: "tools",
      kind: "member",
      file: join(folder, "mcp.json"),
      at: ["mcpServers", server_name],
      value: { command, args },
    },
    skillIn(join(folder, "skills"), wiring),
  ];
}

export const cursor: SetupHost = {
  id: "cursor",
  title: "Cursor",
  tried_version: null,
  program: null,
  changes,
  check: () => null,
  start: null,
  remarks: [
    "Restart Cursor. The server is under Customize, MCPs, where you switch it on.",
    "Its hooks are not set up: ask the agent to look into its mailbox.",
    "If Cursor includes settings of other programs, it runs the hooks of Claude Code, too, which are made for another agent: leave that off.",
  ],
};
