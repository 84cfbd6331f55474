/** Codex: developers.openai.com/codex/mcp, …/hooks, …/skills. */

import { join } from "node:path";
import { host_starts } from "../starts.ts";
import type { Change, SetupHost, Wiring } from "../host.ts";
import { guardWords, hookIn, inboxWords, server_name, serverWords, skillIn } from "./words.ts";

/** In seconds. `wharf inbox --hook` and the guard end within three. */
const timeout = 10;

function changes(wiring: Wiring): Change[] {
  const folder = wiring.environment["CODEX_HOME"] || join(wiring.home, ".codex");
  const hooks = join(folder, "hooks.json");
  const [command, ...args] = serverWords(wiring);
  const inbox = inboxWords(wiring, "codex");
  const guard = guardWords(wiring, "codex");
  return [
    // `codex mcp add` would write the entries of the other servers anew, without their comments.
    {
      purpose: "tools",
      kind: "table",
      file: join(folder, "config.toml"),
      at: ["mcp_servers", server_name],
      value: { command, args },
    },
    skillIn(join(folder, "skills"), wiring),
    hookIn(hooks, "wake-up", { event: "UserPromptSubmit", words: inbox, timeout }),
    hookIn(hooks, "wake-up", { event: "Stop", words: inbox, timeout }),
    // Codex applies a patch in a command of its shell itself, and calls the hook of the shell alone.
    hookIn(hooks, "leases", {
      event: "PreToolUse",
      matcher: "^(apply_patch|Bash)$",
      words: guard,
      timeout,
    }),
    // More than three seconds are not granted at the end.
    hookIn(hooks, "leases", { event: "SessionEnd", words: guard, timeout: 3 }),
  ];
}

export const codex: SetupHost = {
  id: "codex",
  title: "Codex",
  tried_version: "0.171.0",
  program: "codex",
  changes,
  // `codex mcp list` lists the servers and starts none.
  check: () => null,
  start: host_starts.codex,
  remarks: [
    "Codex runs a hook only after you have reviewed it: start `codex`, enter `/hooks` and trust the four hooks of wharf; again after each change of them.",
    "`codex exec` leaves out a hook that is not reviewed, and says nothing.",
    "Its shell gets no variable whose name has KEY in it, so that `WHARF_KEY` is no use there: the saved key is used.",
  ],
};
