/** What a caller over HTTP does next after an error of reports, by code or `code.situation`. */

import type { Hints } from "../core/errors.ts";

export const report_http_hints: Hints = {
  reports_full: "Try again later, or write to the operator.",
  report_not_found: "GET /api/admin/reports lists the reported posts.",
};
