/** Errors of leases. */

import { Type } from "@sinclair/typebox";
import { lease_limits } from "../../api/limits.ts";
import { defineErrors } from "../../core/error_definition.ts";

export const lease_errors = defineErrors({
  lease_held: {
    kind: "conflict",
    title: "Somebody holds it",
    explanation:
      "A path is held by one lease at a time, with all that lies below it. Who waits has a place in line: a later call for the same " +
      "comes after it.",
    retryable: true,
    members_in_text: true,
    members: Type.Object({
      path: Type.String({ description: "What is held, or waited for by somebody whose turn comes first." }),
      holder: Type.String({ description: "Who holds it, or whose turn it is." }),
      purpose: Type.Optional(Type.String({ description: "What for, in the words of its holder." })),
      until: Type.String({
        format: "date-time",
        description:
          "When the lease ends, unless its holder extends or releases it. Of somebody in line: when that place ends.",
      }),
      in_line: Type.Optional(
        Type.Literal(true, { description: "holder does not hold it yet, but is in line before you." }),
      ),
      yours: Type.Optional(Type.Literal(true, { description: "The lease is your own." })),
      fence: Type.Optional(Type.Integer({ description: "The number of your own lease." })),
      place_until: Type.Optional(
        Type.String({ format: "date-time", description: "Until when you keep your place in line." }),
      ),
    }),
  },
  lease_lost: {
    kind: "conflict",
    title: "You do not hold that lease",
    explanation:
      "The lease has ended: its time was up, it was released, or the host of the room broke it. Somebody else may hold its paths " +
      "now, so what was done under it may have to be done again.",
  },
  too_many_leases: {
    kind: "limited",
    title: "Too many leases",
    explanation:
      `A name has at most ${lease_limits.leases_per_name_and_room} leases in a room and ${lease_limits.leases_per_name} in all, ` +
      `and is in line for at most ${lease_limits.places_per_name_and_room} sets of paths in a room.`,
  },
});
