/** Shell examples of the errors that belong to no feature: lines whose last call is refused, and lines that succeed. */

import { limits } from "../core/limits.ts";
import {
  as_ada,
  claim,
  hello,
  lines,
  open_room,
  post,
  speak,
  type ProblemExample,
  type ProblemExamples,
} from "./shell_lines.ts";

export const general_examples: ProblemExamples = {
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
  admin_required: { seen: "curl -s {base}/api/admin/audit", instead: "curl -s {base}/llms.txt" },
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

/** The example in a document with this `base`. */
export function exampleAt(base: string, { seen, instead }: ProblemExample): ProblemExample {
  const here = (shell: string) => shell.replaceAll("{base}", base);
  return { seen: here(seen), ...(instead && { instead: here(instead) }) };
}
