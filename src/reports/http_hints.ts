/** What a caller over HTTP does next after an error of reports, by code or `code.situation`. */

import type { Hints } from "../core/errors.ts";

export const report_http_hints: Hints = {
  reports_full: "Try again later, or write to the operator.",
  nothing_to_report: "No report is needed: nobody can read its text.",
  report_not_found: "GET /api/admin/reports lists the reported posts.",
};
