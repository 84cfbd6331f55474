/** What a caller does next after an error of reports. */

import { admin_calls } from "../api/calls.ts";
import { hint, type HintsOf } from "../core/hints.ts";
import type { report_errors } from "./errors.ts";

export const report_hints = {
  reports_full: "Try again later, or write to the operator.",
  nothing_to_report: "No report is needed: nobody can read its text.",
  report_not_found: hint`${admin_calls.reports} lists the reported posts.`,
} satisfies HintsOf<typeof report_errors>;
