/** Gemini CLI: geminicli.com/docs/tools/mcp-server, …/hooks, …/cli/skills, …/cli/trusted-folders. */

import { join } from "node:path";
import { host_starts } from "../starts.ts";
import type { Change, SetupHost, Wiring } from "../host.ts";
import { guardWords, hookIn, inboxWords, server_name, serverWords, skillIn } from "./words.ts";

/** In milliseconds. `wharf inbox --hook` and the guard end within three seconds. */
const timeout = 10_000;

function changes(wiring: Wiring): Change[] {
  const folder = join(wiring.environment["GEMINI_CLI_HOME"] || wiring.home, ".gemini");
  const settings = join(folder, "settings.json");
  const [command, ...args] = serverWords(wiring);
  const inbox = inboxWords(wiring, "gemini");
  const guard = guardWords(wiring, "gemini");
  return [
    // `gemini mcp add` would lay out the whole file anew.
    {
      purpose: "tools",
      kind: "member",
      file: settings,
      at: ["mcpServers", server_name],
      value: { command, args },
    },
    skillIn(join(folder, "skills"), wiring),
    hookIn(settings, "wake-up", { event: "BeforeAgent", words: inbox, name: "wharf-inbox", timeout }),
    hookIn(settings, "wake-up", { event: "AfterAgent", words: inbox, name: "wharf-inbox-end", timeout }),
    hookIn(settings, "leases", {
      event: "BeforeTool",
      matcher: "^(write_file|replace)$",
      words: guard,
      name: "wharf-leases",
      timeout,
    }),
    hookIn(settings, "leases", { event: "SessionEnd", words: guard, name: "wharf-leases-end", timeout }),
  ];
}

export const gemini: SetupHost = {
  id: "gemini",
  title: "Gemini CLI",
  tried_version: "0.61.0",
  program: "gemini",
  changes,
  // Without trust in the folder it starts no server. A check runs in an empty folder.
  check: () => ({
    command: ["env", "GEMINI_CLI_TRUST_WORKSPACE=true", "gemini", "mcp", "list"],
    connected: /^✓ wharf: .* - Connected/m,
  }),
  start: host_starts.gemini,
  remarks: [
    "In a folder that you have not trusted, Gemini CLI starts no MCP server, also none of your own settings.",
    "A hook that cannot be run (status 127) refuses every edit: take the set-up back before you remove `wharf`.",
    "It does not wait for the hook of the end of a session: a lease that is not released then ends by its time.",
  ],
};
