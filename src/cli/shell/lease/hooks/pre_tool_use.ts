/** The answers to a hook of the event PreToolUse, which Claude Code and Codex have in common. */

import type { Host } from "./host.ts";

export const pre_tool_use_answers: Pick<Host, "deny" | "allow"> = {
  deny: (reason) => ({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: reason,
    },
  }),
  allow: (notice) => ({ systemMessage: notice }),
};
