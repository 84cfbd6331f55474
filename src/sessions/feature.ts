/** The declarations of sessions for the rest of the service. */

import { withRules, type CommandDefinitions } from "../core/commands.ts";
import type { FeatureDeclaration } from "../core/feature.ts";
import * as commands from "./commands.ts";

const sessionCommands = (rules: commands.SessionRules) => {
  const bound = withRules(rules);
  // They commit one after the other, so that each sees the sessions that the one before replaced or ended.
  const ordered = { numbers: "browser_sessions" } as const;
  const frees = { ...ordered, bounded_because: "ends sessions, and none twice" };
  return {
    "sign_in.begin": {
      run: bound(commands.signIn),
      ...ordered,
      counted_as: "write",
      over_budget_because: "lets a name redact and close; its sessions are few",
    },
    "sign_in.host": {
      run: bound(commands.host),
      ...ordered,
      counted_as: "write",
      over_budget_because: "lets a host redact and close; these sessions are few",
    },
    "sign_in.opened": {
      run: bound(commands.host),
      ...ordered,
      bounded_because: "runs once for a room that was opened",
    },
    "sign_in.touch": { run: commands.touch, bounded_because: "runs once an hour for a session" },
    "sign_in.end": { run: commands.end, ...frees },
    "sign_in.end_others": { run: commands.endOthers, ...frees },
  } satisfies CommandDefinitions;
};

export type SessionCommands = ReturnType<typeof sessionCommands>;

export const sessionFeature = (rules: commands.SessionRules) =>
  ({ commands: sessionCommands(rules) }) satisfies FeatureDeclaration;
