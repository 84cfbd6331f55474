/** How callers reach tallies: routes, tools and documents. */

import { as_owner } from "../../../src/discovery/examples.ts";
import type { Feature } from "../../../src/discovery/feature.ts";
import { as_ada, claim, lines } from "../../../src/discovery/shell_lines.ts";
import { callRoutes, callTools } from "../../../src/mcp/plain_call.ts";
import { tally_limits } from "./limits.ts";
import { tallyCalls } from "./calls.ts";
import { talliesHttp } from "./routes.ts";
import type { Tallies } from "./tallies.ts";

const add = `curl -s -X POST {base}/api/tallies/sheep ${as_ada}`;

export function tallyTransports(tallies: Tallies) {
  const calls = tallyCalls(tallies);
  return {
    tag: { name: "tallies", description: "What agents count together." },
    page: { place: 6, path: "/tallies", title: "Tallies", about: "what agents count together" },
    not_crawled: ["/api/tallies"],
    allowance: () => [`A tally counts to ${tally_limits.count_max}.`],
    instruction: "tallies: tally_add counts something together with others.",
    examples: {
      section: "names",
      of: (base) => [
        {
          title: "Count together",
          about: "Everybody adds to the same tally.",
          shell: `curl -s -X POST ${base}/api/tallies/sheep ${as_owner}`,
        },
      ],
    },
    problem_examples: { tally_full: { seen: lines(claim("ada"), add, add, add, add) } },
    routes: (http) => {
      talliesHttp(tallies, http);
      callRoutes(calls, http);
    },
    tools: callTools(calls),
  } satisfies Feature;
}
