/** What the calls below /_dev take. docs/dev.md describes them and their answers. */

import { Type, type Static } from "@sinclair/typebox";
import { Count } from "../core/fields.ts";
import { dev_limits } from "./limits.ts";

export const ChangeClock = Type.Object({
  advance_seconds: Type.Optional(
    Type.Number({ description: "Lets so much time pass. Fractions are allowed." }),
  ),
  now: Type.Optional(Type.String({ description: "Lets the time run to this one (RFC 3339)." })),
  frozen: Type.Optional(Type.Boolean({ description: "Whether the time stands still between calls." })),
});
export type ChangeClock = Static<typeof ChangeClock>;

export const NewSnapshot = Type.Object({
  name: Type.String({ description: "1 to 64 of a-z, 0-9, _ and -." }),
});

export const NewFault = Type.Object({
  route: Type.String({ description: "A method and a path; * for either part means all." }),
  status: Type.Optional(Count({ description: "Answers with this status.", minimum: 400, maximum: 599 })),
  delay_ms: Type.Optional(
    Count({
      description: "Runs the request so many real milliseconds later.",
      minimum: 1,
      maximum: dev_limits.fault_delay_ms_max,
    }),
  ),
  drop: Type.Optional(Type.Boolean({ description: "Cuts the connection without an answer." })),
  when: Type.Optional(
    Type.Union([Type.Literal("before"), Type.Literal("after")], {
      description: "Whether the connection is cut before the request runs, or after it (the default).",
    }),
  ),
  times: Type.Optional(
    Count({
      description: "How often it happens (1); 0: until it is deleted.",
      minimum: 0,
      maximum: dev_limits.fault_times_max,
    }),
  ),
  retry_after_seconds: Type.Optional(
    Count({
      description: "The Retry-After of an answer with status.",
      minimum: 0,
      maximum: dev_limits.fault_retry_after_seconds_max,
    }),
  ),
});
export type NewFault = Static<typeof NewFault>;
