/** The declarations of receipts for the rest of the service. */

import type { CommandDefinitions } from "../core/commands.ts";
import type { FeatureDeclaration } from "../core/feature.ts";
import { addKey } from "./commands.ts";

const receipt_commands = {
  "receipts.add_key": {
    run: addKey,
    bounded_because: "runs at the first start and when the operator rotates the key",
  },
} satisfies CommandDefinitions;

export type ReceiptCommands = typeof receipt_commands;

export const receipt_feature = { commands: receipt_commands } satisfies FeatureDeclaration;
