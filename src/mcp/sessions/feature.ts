/** What the rest of the service needs to know of MCP sessions. */

import type { CommandDefinitions } from "../../core/commands.ts";
import { beginSession, endSession, followResource, touchSession } from "./commands.ts";

export const session_commands = {
  "sessions.begin": {
    run: beginSession,
    numbers: "sessions",
    counted_as: "session",
    over_budget_because: "lets older MCP clients read; their number is bounded",
  },
  "sessions.follow": {
    run: followResource,
    counted_as: "session",
    over_budget_because: "changes a row of a session",
  },
  "sessions.end": { run: endSession, counted_as: "session", over_budget_because: "frees a session" },
  "sessions.touch": {
    run: touchSession,
    numbers: "sessions",
    bounded_because: "runs once an hour for a session",
  },
} satisfies CommandDefinitions;

export type SessionCommands = typeof session_commands;
