/** The hooks BeforeTool and SessionEnd of Gemini CLI (verified with 0.61.0). */

import { editOf, type Host } from "./host.ts";

const edit_tools = /^(?:write_file|replace)$/;

export const gemini: Host = {
  read(sent) {
    const session = sent.at("session_id").text;
    const event = sent.at("hook_event_name").text;
    if (event === "SessionEnd") return { event: "end", session };
    if (event !== "BeforeTool" || !edit_tools.test(sent.at("tool_name").text)) return { event: "other" };
    return editOf(session, sent.at("cwd").text, [sent.at("tool_input").at("file_path").text]);
  },
  deny: (reason) => ({ decision: "deny", reason }),
  allow: (notice) => ({ systemMessage: notice }),
};
