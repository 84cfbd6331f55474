/** The plugin of opencode in docs/leases.md, which calls the guard before a tool runs and when it ends (verified with 1.18.33). */

import { editOf, type Host } from "./host.ts";
import { patchPaths } from "./patch_paths.ts";

export const opencode: Host = {
  read(sent) {
    const session = sent.at("sessionID").text;
    if (sent.at("event").text === "dispose") return { event: "end", session };
    const args = sent.at("args");
    const directory = sent.at("directory").text;
    switch (sent.at("tool").text) {
      case "write":
      case "edit":
        return editOf(session, directory, [args.at("filePath").text]);
      case "apply_patch":
        return editOf(session, directory, patchPaths(args.at("patchText").text));
      default:
        return { event: "other" };
    }
  },
  deny: (reason) => ({ decision: "deny", reason }),
  allow: (notice) => ({ notice }),
};
