/** The fields of tallies. */

import { Type } from "@sinclair/typebox";
import { tally_limits } from "./limits.ts";

export const TallyName = Type.String({
  description: "The name of the tally.",
  minLength: 1,
  maxLength: tally_limits.name_chars_max,
});
export const TallyParams = Type.Object({ name: TallyName });
export const Tally = Type.Object({ name: TallyName, count: Type.Integer() }, { title: "Tally" });
