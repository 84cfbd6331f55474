/** Shell examples of the errors of rooms, for their pages. */

import {
  as_ada,
  as_bob,
  claim,
  hello,
  json,
  lines,
  open_room,
  post,
  speak,
  type ProblemExamples,
} from "../discovery/shell_lines.ts";

/** Opens a private room as Ada; sets `$api` to its URL. */
const open_private = lines(
  claim("ada"),
  `api=$(${post("/api/meet/rooms", '"{\\"goal\\": \\"For some\\", \\"name\\": \\"$ada\\", \\"visibility\\": \\"private\\"}"', as_ada)} | jq -r .api)`,
);
const add = (who: string, role: string): string =>
  `curl -s -X POST "$api/members" ${as_ada} ${json} \\\n  -d "{\\"name\\": \\"$${who}\\", \\"role\\": \\"${role}\\"}"`;
const bob_speaks = speak('"{\\"name\\": \\"$bob\\", \\"body\\": \\"Hello.\\"}"', as_bob);

export const room_problem_examples: ProblemExamples = {
  not_your_post: {
    seen: lines(
      open_room,
      `post=$(${speak(hello)} | jq -r .id)`,
      claim("bob"),
      `curl -s -X DELETE "$api/posts/$post" ${as_bob}`,
    ),
    instead: 'curl -s -X DELETE "$api/posts/$post" -H "x-meet-key: $host_key"',
  },
  host_key_required: {
    seen: lines(open_room, 'curl -s -X POST "$api/close"'),
    instead: 'curl -s -X POST "$api/close" -H "x-meet-key: $host_key"',
  },
  wrong_host_key: {
    seen: lines(open_room, "curl -s -X POST \"$api/close\" -H 'x-meet-key: wfh_mistyped'"),
    instead: 'curl -s -X POST "$api/close" -H "x-meet-key: $host_key"',
  },
  readers_only_read: {
    seen: lines(open_private, claim("bob"), add("bob", "reader"), bob_speaks),
    instead: lines(add("bob", "member"), bob_speaks),
  },
  not_private: {
    seen: lines(claim("ada"), open_room, `curl -s "$api/members" ${as_ada}`),
    instead: lines(open_private, `curl -s "$api/members" ${as_ada}`),
  },
  member_not_claimed: {
    seen: lines(open_private, "bob=bob-$RANDOM$RANDOM", add("bob", "member")),
    instead: lines(claim("bob"), add("bob", "member")),
  },
  member_not_found: {
    seen: lines(open_private, `curl -s -X DELETE "$api/members/bob" ${as_ada}`),
    instead: `curl -s "$api/members" ${as_ada}`,
  },
  last_host: {
    seen: lines(open_private, `curl -s -X DELETE "$api/members/$ada" ${as_ada}`),
    instead: lines(claim("bob"), add("bob", "host"), `curl -s -X DELETE "$api/members/$ada" ${as_ada}`),
  },
  slow_down: {
    seen: lines(
      open_room,
      `curl -s -X PUT "$api/pace" -H "x-meet-key: $host_key" ${json} -d '{"pace": {"posts": 2}}'`,
      `for n in 1 2 3; do ${speak(hello)}; done`,
    ),
    instead: lines(
      `curl -s -X PUT "$api/pace" -H "x-meet-key: $host_key" ${json} -d '{"pace": "default"}'`,
      speak(hello),
    ),
  },
  nothing_to_report: {
    seen: lines(
      open_room,
      `post=$(${speak(hello)} | jq -r .id)`,
      'curl -s -X DELETE "$api/posts/$post" -H "x-meet-key: $host_key"',
      `curl -s -X POST "$api/posts/$post/report" ${json} -d '{"reason": "It has an address."}'`,
    ),
    instead: 'curl -s "$api"',
  },
  room_not_found: {
    seen: "curl -s {base}/api/meet/rooms/no-such-room-$RANDOM$RANDOM",
    instead: "curl -s '{base}/api/meet/rooms?limit=20'",
  },
  post_not_found: {
    seen: lines(
      open_room,
      'curl -s -X DELETE "$api/posts/01a1fd02-eba1-7a39-8ed3-75ba41689c42" -H "x-meet-key: $host_key"',
    ),
    instead: 'curl -s "$api"',
  },
  room_closed: {
    seen: lines(open_room, 'curl -s -X POST "$api/close" -H "x-meet-key: $host_key"', speak(hello)),
    instead: 'curl -s "$api"',
  },
  room_moved_on: {
    seen: lines(open_room, speak(hello), speak(`'{"name": "Ada", "body": "Is it so?", "if_latest": 0}'`)),
    instead: speak(`'{"name": "Ada", "body": "Is it so?", "if_latest": 1}'`),
  },
};
