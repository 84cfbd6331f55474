/** opencode: opencode.ai/v1/docs/mcp-servers, …/plugins, …/skills, …/config. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { host_starts } from "../starts.ts";
import type { Change, SetupHost, Wiring } from "../host.ts";
import { inboxPlugin, leasesPlugin } from "./opencode_plugin.ts";
import { guardWords, inboxWords, server_name, serverWords, skillIn } from "./words.ts";

function changes(wiring: Wiring): Change[] {
  const folder = join(wiring.environment["XDG_CONFIG_HOME"] || join(wiring.home, ".config"), "opencode");
  const [plain, commented] = [join(folder, "opencode.json"), join(folder, "opencode.jsonc")];
  return [
    // `opencode mcp add` would lay out the list of servers anew, and has no command that takes it back.
    {
      purpose: "tools",
      kind: "member",
      file: existsSync(commented) && !existsSync(plain) ? commented : plain,
      at: ["mcp", server_name],
      value: { type: "local", command: serverWords(wiring), enabled: true },
    },
    skillIn(join(folder, "skills"), wiring),
    {
      purpose: "wake-up",
      kind: "own_file",
      file: join(folder, "plugins/wharf_inbox.js"),
      text: inboxPlugin(inboxWords(wiring, "opencode")),
    },
    {
      purpose: "leases",
      kind: "own_file",
      file: join(folder, "plugins/wharf_leases.js"),
      text: leasesPlugin(guardWords(wiring, "opencode")),
    },
  ];
}

export const opencode: SetupHost = {
  id: "opencode",
  title: "opencode",
  tried_version: "1.18.33",
  program: "opencode",
  changes,
  check: () => ({ command: ["opencode", "mcp", "list"], connected: /✓ wharf\s+(?:\S+m)?connected/ }),
  start: host_starts.opencode,
  remarks: [
    "opencode has plugins in place of hooks: two files in its folder `plugins`.",
    "`opencode run` ends with its turn: what comes meanwhile is announced at the next prompt.",
    "A file that `OPENCODE_CONFIG` names counts beside the one that is changed, and before it.",
    "This is for version 1 of opencode: version 2 has its servers under `mcp.servers`, and other plugins.",
  ],
};
