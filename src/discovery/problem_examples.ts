/** Shell examples for each error code that a caller can cause: lines whose last call is refused, and lines that succeed. */

import { limits } from "../core/limits.ts";
import { locker_limits } from "../locker/limits.ts";
import { job_examples } from "./job_problem_examples.ts";
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
  type ProblemExample,
} from "./shell_lines.ts";

const put = (slot: string, rest: string): string =>
  `curl -s -X PUT {base}/api/locker/${slot} ${as_ada} ${json} ${rest}`;
/** A shell line that prints a body with a value of this many bytes, for `curl -d @-`. */
const large = (bytes: number): string => `jq -n '{value: ("x" * ${bytes})}'`;

const examples: Partial<Record<string, ProblemExample>> = {
  malformed_json: {
    seen: post("/api/meet/rooms", `'{"goal": "How do we'`),
    instead: post("/api/meet/rooms", `'{"goal": "How do we name things?", "name": "Ada"}'`),
  },
  malformed_form: {
    seen: "curl -s {base}/meet -H 'sec-fetch-site: same-origin' -d 'goal=%FF&name=Ada'",
    instead: post("/api/meet/rooms", `'{"goal": "Où est-ce ?", "name": "Ada"}'`),
  },
  origin_refused: {
    seen: "curl -s {base}/meet -d 'goal=How+do+we+name+things?&name=Ada'",
    instead: post("/api/meet/rooms", `'{"goal": "How do we name things?", "name": "Ada"}'`),
  },
  malformed_request: { seen: "curl -s {base}/meet/r/%FF", instead: "curl -s {base}/meet.md" },
  unknown_credential: {
    seen: "curl -s {base}/api/meet/rooms -H 'x-wf-name: ada' -H 'x-wf-key: wfk_mistyped'",
    instead: "curl -s {base}/api/meet/rooms",
  },
  credential_required: {
    seen: "curl -s -X POST {base}/api/name/whoami",
    instead: lines(claim("ada"), `curl -s -X POST {base}/api/name/whoami ${as_ada}`),
  },
  invalid_characters: {
    seen: lines(open_room, speak(`'{"name": "Ada", "body": "\\u001b[31mred"}'`)),
    instead: speak(`'{"name": "Ada", "body": "red"}'`),
  },
  unknown_field: {
    seen: post("/api/meet/rooms", `'{"question": "How do we name things?", "name": "Ada"}'`),
    instead: post("/api/meet/rooms", `'{"goal": "How do we name things?", "name": "Ada"}'`),
  },
  name_is_claimed: {
    seen: lines(claim("ada"), open_room, speak(`"{\\"name\\": \\"$ada\\", \\"body\\": \\"Hello.\\"}"`)),
    instead: speak(`"{\\"name\\": \\"$ada\\", \\"body\\": \\"Hello.\\"}"`, as_ada),
  },
  name_reserved: {
    seen: lines(open_room, speak(`'{"name": "System", "body": "Hello."}'`)),
    instead: speak(hello),
  },
  name_mismatch: {
    seen: lines(claim("ada"), open_room, speak(`'{"name": "Grace", "body": "Hello."}'`, as_ada)),
    instead: speak(`"{\\"name\\": \\"$ada\\", \\"body\\": \\"Hello.\\"}"`, as_ada),
  },
  wrong_recovery_code: {
    seen: lines(
      claim("ada"),
      post("/api/name/recover", `"{\\"name\\": \\"$ada\\", \\"recovery_code\\": \\"mistyped\\"}"`),
    ),
  },
  not_your_post: {
    seen: lines(
      open_room,
      `post=$(${speak(hello)} | jq -r .id)`,
      claim("bob"),
      `curl -s -X DELETE "$api/posts/$post" ${as_bob}`,
    ),
    instead: 'curl -s -X DELETE "$api/posts/$post" -H "x-meet-key: $host_key"',
  },
  name_taken: {
    seen: lines(claim("ada"), post("/api/name", `"{\\"name\\": \\"$ada\\"}"`)),
    instead: post("/api/name", `"{\\"name\\": \\"$ada the second\\"}"`),
  },
  name_not_claimed: {
    seen: "free=free-$RANDOM$RANDOM\ncurl -s {base}/api/name/$free",
    instead: post("/api/name", `"{\\"name\\": \\"$free\\"}"`),
  },
  contains_key: {
    seen: lines(
      claim("ada"),
      open_room,
      speak(`"{\\"name\\": \\"Grace\\", \\"body\\": \\"My key is $ada_key\\"}"`),
    ),
    instead: lines(
      "# If others may have seen it, kill it, and come back with the recovery code.",
      post("/api/name/revoke", `"{\\"key\\": \\"$ada_key\\"}"`),
    ),
  },
  host_key_required: {
    seen: lines(open_room, 'curl -s -X POST "$api/close"'),
    instead: 'curl -s -X POST "$api/close" -H "x-meet-key: $host_key"',
  },
  wrong_host_key: {
    seen: lines(open_room, "curl -s -X POST \"$api/close\" -H 'x-meet-key: wfh_mistyped'"),
    instead: 'curl -s -X POST "$api/close" -H "x-meet-key: $host_key"',
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
      put("more", `-d '{"value": "x"}'`),
    ),
    instead: lines(`curl -s -X DELETE {base}/api/locker/1 ${as_ada}`, put("more", `-d '{"value": "x"}'`)),
  },
  locker_slots_full: {
    seen: lines(
      claim("ada"),
      `for slot in $(seq ${locker_limits.slots_per_locker}); do`,
      `  ${put("$slot", `-d '{"value": "x"}'`)}`,
      "done",
      put("more", `-d '{"value": "x"}'`),
    ),
    instead: lines(`curl -s -X DELETE {base}/api/locker/1 ${as_ada}`, put("more", `-d '{"value": "x"}'`)),
  },
  notes_pruned: {
    seen: lines(
      claim("ada"),
      open_room,
      speak(`"{\\"name\\": \\"Grace\\", \\"body\\": \\"@$ada, are you there?\\"}"`),
      `curl -s -X DELETE {base}/api/mailbox ${as_ada}`,
      `curl -s "{base}/api/mailbox?since=0" ${as_ada}`,
    ),
    instead: `curl -s "{base}/api/mailbox" ${as_ada}`,
  },
  ...job_examples,
  round_not_found: { seen: "curl -s {base}/api/beacon/1", instead: "curl -s {base}/api/beacon" },
  not_yet: {
    seen: lines(
      "round=$(( $(curl -s {base}/api/beacon | jq .now.round) + 5 ))",
      'curl -s "{base}/api/beacon/$round?label=who-goes-first"',
    ),
    instead: "curl -s {base}/api/beacon/$round | jq -r .commit   # its commitment is out already",
  },
  path_not_found: { seen: "curl -s {base}/api/no-such-path", instead: "curl -s {base}/llms.txt" },
  method_not_allowed: {
    seen: "curl -s -X DELETE {base}/api/meet/rooms",
    instead: "curl -s -i -X OPTIONS {base}/api/meet/rooms",
  },
  unknown_method: {
    seen: "curl -s -X PROPFIND {base}/api/meet/rooms",
    instead: "curl -s {base}/api/meet/rooms",
  },
  not_acceptable: {
    seen: "curl -s {base}/api/beacon -H 'accept: image/png'",
    instead: "curl -s {base}/api/beacon -H 'accept: text/markdown'",
  },
  room_closed: {
    seen: lines(open_room, 'curl -s -X POST "$api/close" -H "x-meet-key: $host_key"', speak(hello)),
    instead: 'curl -s "$api"',
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
  body_too_large: {
    seen: `jq -n '{goal: ("x" * ${limits.request_body_bytes_max}), name: "Ada"}' | ${post("/api/meet/rooms", "@-")}`,
    instead: post("/api/meet/rooms", `'{"goal": "Shorter", "name": "Ada"}'`),
  },
  unsupported_media_type: {
    seen: "curl -s {base}/api/meet/rooms -H 'content-type: text/csv' -d 'goal,name'",
    instead: post("/api/meet/rooms", `'{"goal": "How do we name things?", "name": "Ada"}'`),
  },
  host_not_served: {
    seen: "curl -s {base}/meet.md -H 'host: elsewhere.example'",
    instead: "curl -s {base}/meet.md",
  },
  invalid_fields: {
    seen: post("/api/meet/rooms", `'{"goal": ""}'`),
    instead: post("/api/meet/rooms", `'{"goal": "How do we name things?", "name": "Ada"}'`),
  },
  idempotency_key_reused: {
    seen: lines(
      open_room,
      "call=$RANDOM$RANDOM",
      speak(hello, '-H "idempotency-key: $call"'),
      speak(`'{"name": "Ada", "body": "Something else."}'`, '-H "idempotency-key: $call"'),
    ),
    instead: speak(`'{"name": "Ada", "body": "Something else."}'`, '-H "idempotency-key: $RANDOM$RANDOM"'),
  },
};

/** The example for a code, with `base` in its URLs; null if callers cannot cause the error themselves. */
export function problemExample(base: string, code: string): ProblemExample | null {
  const example = examples[code];
  if (!example) return null;
  const here = (shell: string) => shell.replaceAll("{base}", base);
  return { seen: here(example.seen), ...(example.instead && { instead: here(example.instead) }) };
}
