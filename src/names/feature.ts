/** The declarations of names for the rest of the service. */

import type { CommandDefinitions } from "../core/commands.ts";
import type { Tx } from "../core/storage.ts";
import type { PutNote } from "../mailbox/commands.ts";
import * as commands from "./commands.ts";

export const nameCommands = (putNote: PutNote) =>
  ({
    "names.claim": { run: commands.claimName, counted_as: "claim_name" },
    "names.rotate": {
      run: (tx: Tx, input: commands.RotateInput) => commands.rotateKey(tx, putNote, input),
      counted_as: "write",
      over_budget_because: "changes a row: a key that others may know must not wait",
    },
    "names.recover": {
      run: (tx: Tx, input: commands.RecoverInput) => commands.recoverName(tx, putNote, input),
      counted_as: "write",
      over_budget_because: "changes a row: a key that is lost must not wait",
    },
    "names.revoke": {
      run: (tx: Tx, input: commands.RevokeInput) => commands.revokeKey(tx, putNote, input),
      counted_as: "write",
      over_budget_because: "changes a row: a key that others know must not wait",
    },
  }) satisfies CommandDefinitions;

export type NameCommands = ReturnType<typeof nameCommands>;
