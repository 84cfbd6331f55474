/** The hooks SessionStart, UserPromptSubmit, PreToolUse, Stop and SessionEnd of Claude Code (verified with 2.1.332). */

import { editOf, type Host } from "./host.ts";
import { shared_answers, sharedTurnCall } from "./shared_answers.ts";

/** MultiEdit is a tool of versions before 2.0. */
const edit_tools = /^(?:Edit|Write|MultiEdit|NotebookEdit)$/;

export const claude: Host = {
  ...shared_answers,
  hides_errors: true,
  read(sent) {
    const session = sent.at("session_id").text;
    const event = sent.at("hook_event_name").text;
    if (event === "SessionEnd") return { event: "end", session };
    if (event !== "PreToolUse") return sharedTurnCall(sent, event) ?? { event: "other" };
    if (!edit_tools.test(sent.at("tool_name").text)) return { event: "other" };
    const input = sent.at("tool_input");
    const paths = [input.at("file_path").text, input.at("notebook_path").text];
    return editOf(session, sent.at("cwd").text, paths);
  },
};
