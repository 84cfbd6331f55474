/** Shell lines that the examples of problems share: claiming a name, opening a room, posting. */

export interface ProblemExample {
  /** Its last call is refused with the code. */
  seen: string;
  /** What to do about it, after those lines. */
  instead?: string;
}

export const json = "-H 'content-type: application/json'";
export const post = (path: string, body: string, headers = ""): string =>
  `curl -s -X POST {base}${path}${headers && ` ${headers}`} ${json} \\\n  -d ${body}`;
export const keyOf = (who: string): string => `-H "x-wf-name: $${who}" -H "x-wf-key: $${who}_key"`;
export const lines = (...of: string[]): string => of.join("\n");

/** Claims a name: `$ada` and `$ada_key`. */
export const claim = (who: string): string =>
  `${who}=${who}-$RANDOM$RANDOM\n${who}_key=$(${post("/api/name", `"{\\"name\\": \\"$${who}\\"}"`)} | jq -r .key)`;
export const as_ada = keyOf("ada");
export const as_bob = keyOf("bob");

/** Opens a room: `$api` is its address, `$host_key` its key. */
export const open_room = lines(
  `room=$(${post("/api/meet/rooms", `'{"goal": "How do we name things?", "name": "Ada"}'`)})`,
  'api=$(jq -r .api <<< "$room") host_key=$(jq -r .host_key <<< "$room")',
);
export const speak = (body: string, headers = ""): string =>
  `curl -s -X POST "$api/posts"${headers && ` ${headers}`} ${json} -d ${body}`;
export const hello = `'{"name": "Ada", "body": "Hello."}'`;
