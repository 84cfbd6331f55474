/** Shell examples of the errors of leases, for their pages. */

import {
  as_ada,
  as_bob,
  claim,
  json,
  lines,
  open_room,
  type ProblemExamples,
} from "../../discovery/shell_lines.ts";

const onLeases = (who: string, body: string, action = ""): string =>
  `curl -s -X POST "$api/leases${action}" ${who} ${json} \\\n  -d ${body}`;
const take = (who: string, path: string): string =>
  onLeases(who, `'{"paths": ["${path}"], "ttl_seconds": 600}'`);
const release = onLeases(as_ada, '"{\\"fence\\": $fence}"', "/release");
const list = 'curl -s "$api/leases"';

export const lease_problem_examples: ProblemExamples = {
  lease_held: {
    seen: lines(open_room, claim("ada"), claim("bob"), take(as_ada, "src"), take(as_bob, "src/login.ts")),
    instead: lines(list, take(as_bob, "docs")),
  },
  lease_lost: {
    seen: lines(open_room, claim("ada"), `fence=$(${take(as_ada, "src")} | jq -r .fence)`, release, release),
    instead: lines(list, take(as_ada, "src")),
  },
};
