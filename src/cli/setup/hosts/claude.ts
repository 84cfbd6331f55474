/** Claude Code: code.claude.com/docs/en/mcp, …/hooks, …/skills, …/channels. */

import { isDeepStrictEqual } from "node:util";
import { join } from "node:path";
import { host_starts } from "../starts.ts";
import type { Change, SetupHost, Wiring } from "../host.ts";
import { membersAlong, objectIn, valueOf } from "../json_text.ts";
import { guardWords, hookIn, inboxWords, server_name, serverWords, skillIn } from "./words.ts";

/** In seconds. `wharf inbox --hook` and the guard end within three. */
const timeout = 10;

/** The entry that `claude mcp add` makes. */
function entryOf(wiring: Wiring): object {
  const [command, ...args] = serverWords(wiring, "--channel");
  return { type: "stdio", command, args, env: {} };
}

/** Our entry in the file of its servers. Throws a `JsonFault` if that is no JSON. */
function entryIn(text: string): unknown {
  const servers = objectIn(text);
  const found = servers && membersAlong(text, servers, ["mcpServers", server_name])[1];
  return found && valueOf(found.children![1]!);
}

/** The folder of its settings, and the file of its MCP servers. */
function placesOf({ home, environment }: Wiring): { folder: string; servers: string } {
  const chosen = environment["CLAUDE_CONFIG_DIR"];
  const folder = chosen || join(home, ".claude");
  return { folder, servers: join(chosen || home, ".claude.json") };
}

function changes(wiring: Wiring): Change[] {
  const { folder, servers } = placesOf(wiring);
  const settings = join(folder, "settings.json");
  const inbox = inboxWords(wiring, "claude");
  const guard = guardWords(wiring, "claude");
  return [
    {
      purpose: "tools",
      kind: "command",
      file: servers,
      add: [
        "claude",
        "mcp",
        "add",
        "--scope",
        "user",
        server_name,
        "--",
        ...serverWords(wiring, "--channel"),
      ],
      remove: ["claude", "mcp", "remove", "--scope", "user", server_name],
      entry: entryIn,
      isWanted: (entry) => isDeepStrictEqual(entry, entryOf(wiring)),
    },
    skillIn(join(folder, "skills"), wiring),
    hookIn(settings, "wake-up", { event: "UserPromptSubmit", words: inbox, timeout }),
    hookIn(settings, "wake-up", { event: "Stop", words: inbox, timeout }),
    hookIn(settings, "leases", {
      event: "PreToolUse",
      matcher: "Edit|Write|NotebookEdit",
      words: guard,
      timeout,
    }),
    hookIn(settings, "leases", { event: "SessionEnd", words: guard, timeout }),
  ];
}

export const claude: SetupHost = {
  id: "claude",
  title: "Claude Code",
  tried_version: "2.1.332",
  program: "claude",
  changes,
  check: () => ({ command: ["claude", "mcp", "list"], connected: /^wharf: .* - ✔ Connected/m }),
  start: host_starts.claude,
  remarks: [
    "Messages of the channel reach a session only if it is started with `claude --dangerously-load-development-channels server:wharf`: channels are a research preview, and need a sign-in with a subscription. They were not tried live. Without them the server is the same.",
    "Claude Code writes its file of servers anew at each start, so that setup lets `claude mcp add` change it.",
    "A session with `--bare` or `disableAllHooks` runs no hooks.",
  ],
};
