/** The declarations of reports for the rest of the service. */

import { withRules, type CommandDefinitions } from "../core/commands.ts";
import type { FeatureDeclaration } from "../core/feature.ts";
import * as commands from "./commands.ts";
import { report_errors } from "./errors.ts";
import { report_hints } from "./hints.ts";

const reportCommands = (rules: commands.ReportRules) => {
  const bound = withRules(rules);
  return {
    "reports.report": { run: bound(commands.reportPost), counted_as: "report" },
    "reports.dismiss": { run: bound(commands.dismissReport), bounded_because: "an admin causes it" },
  } satisfies CommandDefinitions;
};

export type ReportCommands = ReturnType<typeof reportCommands>;

export const reportFeature = (rules: commands.ReportRules) =>
  ({
    commands: reportCommands(rules),
    errors: report_errors,
    hints: report_hints,
  }) satisfies FeatureDeclaration;
