/** The declarations of tallies for the rest of the service. */

import type { NameRules } from "../../../src/core/caller.ts";
import { underName, type CommandDefinitions } from "../../../src/core/commands.ts";
import type { FeatureDeclaration } from "../../../src/core/feature.ts";
import { addOne } from "./commands.ts";
import { tally_errors } from "./errors.ts";
import { tally_hints } from "./hints.ts";

const tallyCommands = (rules: NameRules) =>
  ({ "tallies.add": { run: underName(rules)(addOne), counted_as: "write" } }) satisfies CommandDefinitions;

export type TallyCommands = ReturnType<typeof tallyCommands>;

export const tallyFeature = (rules: NameRules) =>
  ({
    commands: tallyCommands(rules),
    errors: tally_errors,
    hints: tally_hints,
  }) satisfies FeatureDeclaration;
