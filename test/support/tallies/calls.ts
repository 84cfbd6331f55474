/** The plain call of tallies. */

import { Type } from "@sinclair/typebox";
import { plainCall } from "../../../src/mcp/plain_call.ts";
import { tally_errors } from "./errors.ts";
import { add } from "./hints.ts";
import { Tally, TallyName, TallyParams } from "./schema.ts";
import type { Tallies } from "./tallies.ts";

export const tallyCalls = (tallies: Tallies) => [
  plainCall({
    at: add,
    by: "a claimed name",
    params: TallyParams,
    run: ({ name }, { caller, call }) => tallies.add(caller, name, call),
    http: {
      summary: "Add one to a tally",
      tag: "tallies",
      operation_id: "addToTally",
      status: 200,
      answers: { description: "The tally.", schema: Tally },
      failures: [tally_errors.tally_full],
      answer: (tally) => tally,
    },
    tool: {
      title: "Add one to a tally",
      description: "Use to count something together with others.",
      changes: "adds",
      input: Type.Object({ tally: TallyName }),
      sent: ({ tally }) => ({ name: tally }),
      output: Type.Object({ ...Tally.properties, next: Type.String() }),
      result: (tally) => ({ ...tally, next: "tally_add adds one more." }),
    },
  }),
];
