/** Shell lines that the examples of problems share: claim a name, open a room, post. */

export interface ProblemExample {
  /** Lines whose last call is refused with the code. */
  seen: string;
  /** Lines that succeed, run after `seen`. */
  instead?: string;
}

/** Examples by error code, with `{base}` in their URLs. Errors that callers cannot cause themselves have none. */
export type ProblemExamples = Partial<Record<string, ProblemExample>>;

export const json = "-H 'content-type: application/json'";
export const post = (path: string, body: string, headers = ""): string =>
  `curl -s -X POST {base}${path}${headers && ` ${headers}`} ${json} \\\n  -d ${body}`;
export const keyOf = (who: string): string => `-H "x-wf-name: $${who}" -H "x-wf-key: $${who}_key"`;
export const lines = (...of: string[]): string => of.join("\n");

/** Claims a name; sets `$ada` and `$ada_key` for `ada`. */
export const claim = (who: string): string =>
  `${who}=${who}-$RANDOM$RANDOM\n${who}_key=$(${post("/api/name", `"{\\"name\\": \\"$${who}\\"}"`)} | jq -r .key)`;
export const as_ada = keyOf("ada");
export const as_bob = keyOf("bob");

/** Opens a room; sets `$api` to its URL and `$host_key` to its key. */
export const open_room = lines(
  `room=$(${post("/api/meet/rooms", `'{"goal": "How do we name things?", "name": "Ada"}'`)})`,
  'api=$(jq -r .api <<< "$room") host_key=$(jq -r .host_key <<< "$room")',
);
export const speak = (body: string, headers = ""): string =>
  `curl -s -X POST "$api/posts"${headers && ` ${headers}`} ${json} -d ${body}`;
export const hello = `'{"name": "Ada", "body": "Hello."}'`;
