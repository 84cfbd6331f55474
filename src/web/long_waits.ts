/** How long a call over HTTP may wait: `wait_seconds`, and the preference `wait` of RFC 7240, section 4.3. */

import { countOf } from "../core/fields.ts";
import { limits } from "../core/limits.ts";
import { factsOf } from "./request_facts.ts";

/** The seconds that the caller prefers to wait at most; undefined if it states none. The first of several counts (section 2). */
function preferredSeconds(prefer: string): number | undefined {
  for (const preference of prefer.split(",")) {
    const [, seconds] = /^\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:;|$)/i.exec(preference) ?? [];
    if (seconds !== undefined) return Number(seconds);
  }
  return undefined;
}

/**
 * How long the answer to `request` may wait, in seconds. `given`: its `wait_seconds`; `when_absent`: how long it waits without.
 * With `Prefer: wait=N` at most N, and N without `wait_seconds`; the answer then says what was applied.
 */
export function waitSecondsOf(request: Request, given: string | undefined, when_absent = 0): number {
  const wait_seconds = countOf(given);
  const prefer = request.headers.get("prefer");
  const preferred = prefer === null ? undefined : preferredSeconds(prefer);
  if (preferred === undefined) return wait_seconds ?? when_absent;
  const applied = Math.min(
    preferred,
    wait_seconds ?? limits.long_wait_seconds_max,
    limits.long_wait_seconds_max,
  );
  factsOf(request).applied_wait_seconds = applied;
  return applied;
}
