/** What the rest of the service needs to know of receipts. */

import type { CommandDefinitions } from "../core/commands.ts";
import { addKey } from "./commands.ts";

export const receipt_commands = {
  "receipts.add_key": {
    run: addKey,
    bounded_because: "runs at the first start and when the operator rotates the key",
  },
} satisfies CommandDefinitions;

export type ReceiptCommands = typeof receipt_commands;
