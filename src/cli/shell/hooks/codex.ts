/** The hooks SessionStart, UserPromptSubmit, PreToolUse, Stop and SessionEnd of Codex (verified with 0.171.0). */

import { resolve } from "node:path";
import { editOf, type Host } from "./host.ts";
import { patchPaths } from "./patch_paths.ts";
import { shared_answers, sharedTurnCall } from "./shared_answers.ts";

/** Codex applies a patch of its shell itself, and calls the hook for the shell only: `cd src && apply_patch <<'EOF'`. */
const patch_in_shell = /^\s*(?:cd\s+(?<folder>'[^']+'|"[^"]+"|\S+)\s*&&\s*)?(?:apply_patch|applypatch)\b/;

export const codex: Host = {
  ...shared_answers,
  hides_errors: true,
  read(sent) {
    const session = sent.at("session_id").text;
    const event = sent.at("hook_event_name").text;
    if (event === "SessionEnd") return { event: "end", session };
    if (event !== "PreToolUse") return sharedTurnCall(sent, event) ?? { event: "other" };
    const command = sent.at("tool_input").at("command").text;
    const directory = sent.at("cwd").text;
    const tool = sent.at("tool_name").text;
    if (tool === "apply_patch") return editOf(session, directory, patchPaths(command));
    const shell = tool === "Bash" ? patch_in_shell.exec(command) : null;
    if (!shell) return { event: "other" };
    const folder = (shell.groups!["folder"] ?? ".").replace(/^(['"])(.*)\1$/, "$2");
    return editOf(session, resolve(directory, folder), patchPaths(command));
  },
};
