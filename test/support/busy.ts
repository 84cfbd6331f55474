/** Calls at several nodes that all need the same lock: a database with so much to do refuses some, and stores nothing of them. */

import { service_errors } from "../../src/core/general_errors.ts";

interface Answered {
  status: number;
  body: unknown;
}

/**
 * The answer to a call that is sent again as long as it is refused with `storage_busy`; each time is a new attempt. It has no
 * Idempotency-Key of its own: a refused call that was stored after all has to show.
 */
export async function repeatedWhileBusy<A extends Answered>(send: () => Promise<A>): Promise<A> {
  for (;;) {
    const answer = await send();
    if (!isBusy(answer)) return answer;
  }
}

const isBusy = ({ status, body }: Answered): boolean =>
  status === 503 && (body as { code?: unknown } | null)?.code === service_errors.storage_busy.code;
