/** Errors of reports. */

import { defineErrors } from "../core/error_definition.ts";
import { report_limits } from "../api/limits.ts";

export const report_errors = defineErrors({
  nothing_to_report: {
    kind: "gone",
    title: "The post has no text any more",
    explanation: "The text of the post was redacted or hidden, so there is nothing to report.",
  },
  reports_full: {
    kind: "full",
    title: "Too many posts are reported",
    explanation: `At most ${report_limits.posts_max} reported posts are stored. The operator makes room by deciding about them.`,
    retryable: true,
  },
  report_not_found: {
    kind: "not_found",
    title: "Nobody has reported that post",
    explanation: "No report of a post with that id is stored.",
  },
});
