/** Idempotency-Key: a POST that is sent again does nothing twice and gets its first answer again. */

import { isoTime, type Clock } from "../clock.ts";
import { ServiceError } from "../errors.ts";
import { limits } from "../limits.ts";
import { sha256Hex } from "../secret.ts";
import type { Once } from "../storage/port.ts";

export interface OnceKeys {
  /**
   * Runs `act` with what marks it as a single one, when the request has an Idempotency-Key. `sent` is what makes two
   * calls the same call. Throws `idempotency_in_progress` while the first one runs.
   */
  run<Result>(
    request: Request,
    sent: unknown,
    act: (once: Once | undefined) => Promise<Result>,
  ): Promise<Result>;
}

const key_form = /^[\x21-\x7e]+$/;

export function createOnceKeys(clock: Clock): OnceKeys {
  const running = new Set<string>();

  async function runWith<Result>(
    key: string,
    request: Request,
    sent: unknown,
    act: (once: Once) => Promise<Result>,
  ): Promise<Result> {
    if (!key_form.test(key) || key.length > limits.idempotency_key_chars_max) {
      throw new ServiceError("malformed_request", "The Idempotency-Key header is not usable.", {
        hint: `Send 1 to ${limits.idempotency_key_chars_max} visible ASCII characters, a UUID for example.`,
      });
    }
    const path = new URL(request.url).pathname;
    const call = `${key} ${path}`;
    if (running.has(call)) {
      throw new ServiceError("idempotency_in_progress", "The first call with this key is still running.", {
        retry_after_seconds: 1,
      });
    }
    running.add(call);
    try {
      return await act({
        key,
        path,
        fingerprint: sha256Hex(JSON.stringify(sent)),
        at: isoTime(clock.now()),
      });
    } finally {
      running.delete(call);
    }
  }

  return {
    run(request, sent, act) {
      const key = request.headers.get("idempotency-key");
      return key === null ? act(undefined) : runWith(key, request, sent, act);
    },
  };
}
