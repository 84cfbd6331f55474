/** The declarations of receipts for the rest of the service. */

import type { CommandDefinitions } from "../core/commands.ts";
import { addKey } from "./commands.ts";

export const receipt_commands = {
  "receipts.add_key": {
    run: addKey,
    bounded_because: "runs at the first start and when the operator rotates the key",
  },
} satisfies CommandDefinitions;

export type ReceiptCommands = typeof receipt_commands;
