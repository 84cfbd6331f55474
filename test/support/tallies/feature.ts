/** The declarations of tallies for the rest of the service. */

import type { CommandDefinitions } from "../../../src/core/commands.ts";
import type { FeatureDeclaration } from "../../../src/core/feature.ts";
import { addOne } from "./commands.ts";
import { tally_errors } from "./errors.ts";
import { tally_hints } from "./hints.ts";

const tally_commands = {
  "tallies.add": { run: addOne, counted_as: "write" },
} satisfies CommandDefinitions;

export type TallyCommands = typeof tally_commands;

export const tally_feature = {
  commands: tally_commands,
  errors: tally_errors,
  hints: tally_hints,
} satisfies FeatureDeclaration;
