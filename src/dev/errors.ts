/** Errors of the calls below /_dev. */

import { defineErrors } from "../core/error_definition.ts";

export const dev_errors = defineErrors({
  clock_goes_back: {
    kind: "invalid",
    title: "The clock never goes back",
    explanation:
      "POST /_dev/clock named a time that has passed. A service whose time goes back behaves as none does in use. POST /_dev/reset returns to the start, and restoring a snapshot to its time.",
  },
  snapshot_not_found: {
    kind: "not_found",
    title: "There is no snapshot with this name",
    explanation:
      "GET /_dev/snapshots lists the snapshots. A reset keeps them; a restart of wharf dev does not.",
  },
  too_many_snapshots: {
    kind: "conflict",
    title: "There are as many snapshots as there may be",
    explanation: "Snapshots are in memory. DELETE /_dev/snapshots/{name} makes room.",
  },
  fault_not_found: {
    kind: "not_found",
    title: "There is no fault with this id",
    explanation:
      "It has been deleted, or it has happened as often as it should. GET /_dev/faults lists the others.",
  },
  too_many_faults: {
    kind: "conflict",
    title: "There are as many faults as there may be",
    explanation: "DELETE /_dev/faults deletes all of them.",
  },
  fault_injected: {
    kind: "internal",
    title: "A fault that a test has asked for",
    explanation: "POST /_dev/faults asked for this answer in place of the one that the service would give.",
    retryable: true,
  },
});
