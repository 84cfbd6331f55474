/** The plugins of opencode that `wharf setup` writes, which call this program as hooks do (verified with 1.18.33). */

import { editOf, turnCall, type Host } from "./host.ts";
import { patchPaths } from "./patch_paths.ts";

export const opencode: Host = {
  hides_errors: true,
  read(sent) {
    const session = sent.at("sessionID").text;
    const event = sent.at("event").text;
    if (event === "dispose") return { event: "end", session };
    const turn = turnCall(sent, event, ["chat.message"], "session.idle");
    if (turn) return turn;
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
  addText: (_hook, text) => ({ text }),
  continueWith: (text) => ({ text }),
};
