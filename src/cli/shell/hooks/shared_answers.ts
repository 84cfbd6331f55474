/** What the hooks of Claude Code and Codex have in common: the hooks around a turn, and the answers. */

import { turnCall, type Host, type HookCall, type Sent } from "./host.ts";

/** A call of the hooks of a prompt, of the start of a session, or of the end of a turn; null if it is another one. */
export const sharedTurnCall = (sent: Sent, hook: string): HookCall | null =>
  turnCall(sent, hook, ["SessionStart", "UserPromptSubmit"], "Stop");

export const shared_answers: Pick<Host, "deny" | "allow" | "addText" | "continueWith"> = {
  deny: (reason) => ({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: reason,
    },
  }),
  allow: (notice) => ({ systemMessage: notice }),
  addText: (hook, text) => ({ hookSpecificOutput: { hookEventName: hook, additionalContext: text } }),
  continueWith: (text) => ({ decision: "block", reason: text }),
};
