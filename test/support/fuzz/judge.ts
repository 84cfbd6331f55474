/** Whether an answer is one that the service may give. */

import type { Heard, Sent } from "./request.ts";

/** What stands in no answer that refuses: stacks, paths inside the program, texts of the database. */
const internals = /\$bunfs|SQLite|SQLITE_|PostgresError|\n\s+at \S+ \(|\.ts:\d+/;
const has_internal_code = /"code":\s*"internal"|Refused \(internal\)/;
/** A failed method of MCP, and the code of the refusal that its message begins with if it is an expected one. */
const failed_method = /"code":\s*-32603,\s*"message":\s*"(?:Refused \((\w+)\))?/g;

/** The code of a problem, in JSON or on a page. */
const codeIn = (body: string): string | null =>
  (/"code":\s*"(\w+)"/.exec(body) ?? /\/problems\/(\w+)\W/.exec(body))?.[1] ?? null;

/** What is wrong with an answer to any bytes; null if nothing is. `codes`: those of faults that the document has. */
export function faultIn({ status, is_left, headers, body }: Heard, codes: Set<string>): string | null {
  if (status >= 400 && internals.test(body)) return "shows internals";
  if (status < 500) return null;
  // Bun answers 505 by itself, with an empty body.
  if (status === 505 && body === "") return null;
  const code = codeIn(body);
  // The code may have come later.
  if (code === null && is_left) return null;
  const is_documented = code !== null && (codes.has(code) || (status === 501 && code === "unknown_method"));
  if (is_documented) return null;
  // The answer to HEAD has no body.
  return (status === 501 || status === 503) && body === "" && /^content-length: [1-9]/im.test(headers)
    ? null
    : `status ${status}`;
}

/** What is wrong with an answer to a call of the API: a refusal is problem details with a code. */
export function faultInCall({ method }: Sent, { status, is_left, headers, body }: Heard): string | null {
  // The rest of the answer may have come later.
  if (is_left) return null;
  if (status === 0) return "no answer";
  const is_json = /^content-type: application\/(?:problem\+)?json/im.test(headers);
  if (
    status < 400 ||
    !is_json ||
    /^(?:content-encoding|transfer-encoding):/im.test(headers) ||
    method === "HEAD"
  )
    return null;
  try {
    return typeof (JSON.parse(body) as { code?: unknown }).code === "string"
      ? null
      : "a refusal without a code";
  } catch {
    return "a refusal that is no JSON";
  }
}

/** What is wrong with an answer of MCP. `codes`: those of faults that the document has. */
export function faultInMessage({ status, is_left, body }: Heard, codes: Set<string>): string | null {
  if (status === 0) return is_left ? null : "no answer";
  // The last line of what the caller has read may be cut.
  const whole = is_left ? body.slice(0, body.lastIndexOf("\n") + 1) : body;
  const unknown = [...whole.matchAll(failed_method)].some(([, code = ""]) => !codes.has(code));
  return unknown || has_internal_code.test(body) ? "internal" : null;
}

/** What an answer counts as: the first digit of its status, and all of one that is a fault of the service. */
export function kindOf({ status, is_left, body }: Heard): string {
  if (status === 0) return is_left ? "held" : "closed";
  return status < 500 ? `${Math.floor(status / 100)}xx` : `${status} ${codeIn(body) ?? "empty"}`;
}
