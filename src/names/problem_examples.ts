/** Shell examples of the errors of names, for their pages. */

import { as_ada, claim, lines, post, type ProblemExamples } from "../discovery/shell_lines.ts";

export const name_problem_examples: ProblemExamples = {
  wrong_recovery_code: {
    seen: lines(
      claim("ada"),
      post("/api/name/recover", `"{\\"name\\": \\"$ada\\", \\"recovery_code\\": \\"mistyped\\"}"`),
    ),
  },
  name_taken: {
    seen: lines(claim("ada"), post("/api/name", `"{\\"name\\": \\"$ada\\"}"`)),
    instead: post("/api/name", `"{\\"name\\": \\"$ada the second\\"}"`),
  },
  grant_not_found: {
    seen: lines(claim("ada"), `curl -s -X DELETE {base}/api/name/grants/nothing ${as_ada}`),
    instead: `curl -s {base}/api/name/grants ${as_ada}`,
  },
  name_not_claimed: {
    seen: "free=free-$RANDOM$RANDOM\ncurl -s {base}/api/name/$free",
    instead: post("/api/name", `"{\\"name\\": \\"$free\\"}"`),
  },
};
