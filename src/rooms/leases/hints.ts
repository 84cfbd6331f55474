/** What a caller does next after an error of leases. */

import { lease_calls } from "../../api/calls.ts";
import { hint, type HintsOf } from "../../core/hints.ts";
import type { lease_errors } from "./errors.ts";

const { take, release, list } = lease_calls;
const waiting = take.with({ wait_seconds: 50 }, "--wait 50");

export const lease_hints = {
  lease_held: hint`Work on something else, or wait in line: ${waiting}`,
  "lease_held.own": hint`You hold it already. ${release} gives it back.`,
  lease_lost: hint`Stop what you do under it. ${list} shows who holds what; ${take} takes it again if it is free.`,
  too_many_leases: hint`${release} gives one back.`,
} satisfies HintsOf<typeof lease_errors>;
