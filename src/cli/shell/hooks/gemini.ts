/** The hooks SessionStart, BeforeAgent, BeforeTool, AfterAgent and SessionEnd of Gemini CLI (verified with 0.61.0). */

import { editOf, turnCall, type Host } from "./host.ts";

const edit_tools = /^(?:write_file|replace)$/;

export const gemini: Host = {
  // It shows standard error to the user if a hook prints nothing else.
  hides_errors: false,
  read(sent) {
    const session = sent.at("session_id").text;
    const event = sent.at("hook_event_name").text;
    if (event === "SessionEnd") return { event: "end", session };
    if (event !== "BeforeTool")
      return turnCall(sent, event, ["SessionStart", "BeforeAgent"], "AfterAgent") ?? { event: "other" };
    if (!edit_tools.test(sent.at("tool_name").text)) return { event: "other" };
    return editOf(session, sent.at("cwd").text, [sent.at("tool_input").at("file_path").text]);
  },
  deny: (reason) => ({ decision: "deny", reason }),
  allow: (notice) => ({ systemMessage: notice }),
  addText: (hook, text) => ({ hookSpecificOutput: { hookEventName: hook, additionalContext: text } }),
  continueWith: (text) => ({ decision: "deny", reason: text }),
};
