/** Errors of lockers and their slots. */

import { Type } from "@sinclair/typebox";
import { defineErrors } from "../core/error_definition.ts";
import { locker_limits } from "../api/limits.ts";

export const locker_errors = defineErrors({
  slot_not_found: {
    kind: "not_found",
    title: "There is no such slot",
    explanation:
      "No slot has that name. Of other callers' slots, private ones and missing ones look the same.",
  },
  slot_too_large: {
    kind: "too_large",
    title: "The value is too large for a slot",
    explanation: `A slot holds ${locker_limits.slot_bytes_max} bytes of UTF-8.`,
  },
  locker_full: {
    kind: "too_large",
    title: "The locker is full",
    explanation: `A locker holds ${locker_limits.locker_bytes_max} bytes of UTF-8 in all its slots.`,
  },
  locker_slots_full: {
    kind: "conflict",
    title: "All slots are in use",
    explanation: `A locker has ${locker_limits.slots_per_locker} slots.`,
  },
  precondition_failed: {
    kind: "precondition_failed",
    title: "It is not in the state you named",
    explanation: "The resource has changed since the state that the precondition names.",
    members: Type.Object({
      version: Type.Integer({ description: "The present version of the slot; 0 if there is none." }),
    }),
  },
});
