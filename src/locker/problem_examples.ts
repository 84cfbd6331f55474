/** Shell examples of the errors of lockers, for their pages. */

import { as_ada, claim, json, lines, type ProblemExamples } from "../discovery/shell_lines.ts";
import { locker_limits } from "../api/limits.ts";

const put = (slot: string, rest: string): string =>
  `curl -s -X PUT {base}/api/locker/${slot} ${as_ada} ${json} ${rest}`;
/** A shell line that prints a body with a value of this many bytes, for `curl -d @-`. */
const large = (bytes: number): string => `jq -n '{value: ("x" * ${bytes})}'`;
const put_more = put("more", `-d '{"value": "x"}'`);
/** Deletes a slot of a full locker, and stores the refused one. */
const make_room = lines(`curl -s -X DELETE {base}/api/locker/1 ${as_ada}`, put_more);

export const locker_problem_examples: ProblemExamples = {
  slot_not_found: {
    seen: lines(claim("ada"), `curl -s {base}/api/locker/missing ${as_ada}`),
    instead: `curl -s {base}/api/locker ${as_ada}`,
  },
  slot_too_large: {
    seen: lines(claim("ada"), `${large(locker_limits.slot_bytes_max + 1)} | ${put("notes", "-d @-")}`),
    instead: `${large(locker_limits.slot_bytes_max)} | ${put("notes", "-d @-")}`,
  },
  locker_full: {
    seen: lines(
      claim("ada"),
      `for slot in $(seq ${locker_limits.locker_bytes_max / locker_limits.slot_bytes_max}); do`,
      `  ${large(locker_limits.slot_bytes_max)} | ${put("$slot", "-d @-")}`,
      "done",
      put_more,
    ),
    instead: make_room,
  },
  locker_slots_full: {
    seen: lines(
      claim("ada"),
      `for slot in $(seq ${locker_limits.slots_per_locker}); do`,
      `  ${put("$slot", `-d '{"value": "x"}'`)}`,
      "done",
      put_more,
    ),
    instead: make_room,
  },
  precondition_failed: {
    seen: lines(
      claim("ada"),
      put("notes", `-d '{"value": "first"}'`),
      put("notes", `-d '{"value": "second", "expected_version": 9}'`),
    ),
    instead: lines(
      `version=$(curl -s {base}/api/locker/notes ${as_ada} | jq .version)`,
      put("notes", `-d "{\\"value\\": \\"second\\", \\"expected_version\\": $version}"`),
    ),
  },
};
