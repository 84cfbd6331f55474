/** Errors of the beacon. */

import { defineErrors } from "../core/error_definition.ts";

export const beacon_errors = defineErrors({
  round_not_found: {
    kind: "not_found",
    title: "No commitments of that day were published",
    explanation:
      "The beacon answers for the days whose commitments it has published, from the day on which it began.",
  },
  not_issued: {
    kind: "not_found",
    title: "That day is not issued here",
    explanation:
      "This instance was restored from a backup, or copied. The original may have published commitments for that day, and others would contradict them. The instance goes on with the days after these.",
  },
  not_yet: {
    kind: "too_early",
    title: "It is too early for that",
    explanation:
      "A seed is published when its round has ended, and a day's commitments 7 days before it begins. Retry-After says when.",
  },
  beacon_held: {
    kind: "unavailable",
    title: "The beacon stands still",
    explanation:
      "The clocks of the service disagree, or it cannot write down how far time has come. Until that is over no new seed comes out.",
  },
});
