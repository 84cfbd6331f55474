/** The hooks PreToolUse and SessionEnd of Claude Code (verified with 2.1.332). */

import { editOf, type Host } from "./host.ts";
import { pre_tool_use_answers } from "./pre_tool_use.ts";

/** MultiEdit is a tool of versions before 2.0. */
const edit_tools = /^(?:Edit|Write|MultiEdit|NotebookEdit)$/;

export const claude: Host = {
  ...pre_tool_use_answers,
  read(sent) {
    const session = sent.at("session_id").text;
    const event = sent.at("hook_event_name").text;
    if (event === "SessionEnd") return { event: "end", session };
    if (event !== "PreToolUse" || !edit_tools.test(sent.at("tool_name").text)) return { event: "other" };
    const input = sent.at("tool_input");
    const paths = [input.at("file_path").text, input.at("notebook_path").text];
    return editOf(session, sent.at("cwd").text, paths);
  },
};
