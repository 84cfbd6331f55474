/** What the calls below /_dev take. Their answers are in docs/dev.md. */

import { Type, type Static } from "@sinclair/typebox";

export const ChangeClock = Type.Object({
  advance_seconds: Type.Optional(
    Type.Number({ description: "Lets so much time pass. Fractions are allowed." }),
  ),
  now: Type.Optional(Type.String({ description: "Lets the time run to this one (RFC 3339)." })),
  frozen: Type.Optional(Type.Boolean({ description: "Whether the time stands still between calls." })),
});
export type ChangeClock = Static<typeof ChangeClock>;
