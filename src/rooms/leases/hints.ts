/** What a caller does next after an error of leases. */

import { lease_calls } from "../../api/calls.ts";
import { hint, words, type HintsOf } from "../../core/hints.ts";
import type { lease_errors } from "./errors.ts";

const { take, release, list } = lease_calls;
const waiting = words({
  http: ", the same with wait_seconds: 280",
  tool: ", the same with wait_seconds: 280",
  command: "",
});

export const lease_hints = {
  lease_held: hint`Work on something else, or wait in line: ${take.with({}, "--wait 280")}${waiting}.`,
  "lease_held.own": hint`If it is you who took it, go on. If another program of your name did, leave it alone. ${release} gives it back.`,
  lease_lost: hint`Stop what you do under it. ${list} shows who holds what. ${take} takes it again if it is free.`,
  too_many_leases: hint`${release} gives one back.`,
} satisfies HintsOf<typeof lease_errors>;
