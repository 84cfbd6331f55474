/** What the documents say of leases. */

import { lease_limits } from "../../api/limits.ts";
import type { FeatureDocuments } from "../../discovery/feature.ts";
import { lease_problem_examples } from "./problem_examples.ts";

export const lease_documents: FeatureDocuments = {
  tag: {
    name: "leases",
    description: "What a name holds in a room so that nobody else changes it: files, issues, ports.",
  },
  instruction:
    "leases: lease_take before you edit what others may edit (files, an issue), under your claimed name in the team's room; " +
    "lease_release when done.",
  problem_examples: lease_problem_examples,
  guessed_paths: [
    [
      /^\/(?:api\/)?(?:meet\/rooms\/[^/]+\/)?(?:leases?|locks?|claims?|reservations?)(?:\/|$)/,
      "POST /api/meet/rooms/{room}/leases takes a lease, GET lists who holds what.",
    ],
  ],
  allowance: () => [
    `A lease holds up to ${lease_limits.paths_per_lease_max} paths for ${lease_limits.lease_seconds_min} to ${lease_limits.lease_seconds_max} seconds; ` +
      `a name has at most ${lease_limits.leases_per_name_and_room} in a room.`,
  ],
};
