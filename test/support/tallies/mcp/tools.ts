/** The tool of tallies. */

import { Type } from "@sinclair/typebox";
import { memberOutput } from "../../../../src/mcp/text.ts";
import { defineTool, type Tool } from "../../../../src/mcp/tool.ts";
import { Tally, TallyName } from "../schema.ts";
import type { Tallies } from "../tallies.ts";

export const tallyTools = (tallies: Tallies): Tool[] => [
  defineTool({
    name: "tally_add",
    title: "Add one to a tally",
    description: "Use to count something together with others.",
    changes: "adds",
    by: "a claimed name",
    input: Type.Object({ tally: TallyName }),
    output: Type.Object({ ...Tally.properties, next: Type.String() }),
    run: async ({ tally }, { caller }) =>
      memberOutput({ ...(await tallies.add(caller, tally)), next: "tally_add adds one more." }),
  }),
];
