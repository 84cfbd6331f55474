/** The Idempotency-Key header (draft-ietf-httpapi-idempotency-key-header): runs a repeated call once. */

import { caller_errors } from "../core/caller_errors.ts";
import { isFailure } from "../core/errors.ts";
import { isNonce, isRandomKey, type Idempotency } from "../core/idempotency.ts";
import { limits } from "../core/limits.ts";
import type { Caller } from "../core/caller.ts";
import type { Ready } from "../core/ready.ts";
import type { IdempotentCall } from "../core/storage.ts";
import { pathOf } from "./allowed_methods.ts";

interface IdempotencyKeysDeps {
  idempotency: Idempotency;
  /** The caller of a request. Throws `unknown_credential`. */
  callerOf(request: Request): Ready<Caller>;
  /** The caller of a request that sends the key which its name replaced last; null if it sends no such key. */
  formerCallerOf(request: Request): Promise<Caller | null>;
  /** Whether the same call was answered within the last 24 hours. */
  wasAnswered(call: IdempotentCall): Promise<boolean>;
}

export type IdempotencyKeys = ReturnType<typeof createIdempotencyKeys>;

const keyOf = (request: Request): string | null => request.headers.get("idempotency-key");

export function createIdempotencyKeys(deps: IdempotencyKeysDeps) {
  const { idempotency, callerOf, formerCallerOf, wasAnswered } = deps;

  /** The caller, if the request repeats a call that replaced the caller's key; otherwise null. */
  async function repeating(request: Request, sent: (caller: Caller) => unknown): Promise<Caller | null> {
    const key = keyOf(request);
    if (key === null || !isRandomKey(key)) return null;
    const caller = await formerCallerOf(request);
    if (!caller) return null;
    const call = idempotency.identify({ key, target: pathOf(request), caller, sent: sent(caller) });
    return (await wasAnswered(call)) ? caller : null;
  }

  async function runKeyed<Result>(
    request: Request,
    caller: Caller,
    key: string,
    sent: unknown,
    act: (call: IdempotentCall) => Promise<Result>,
  ): Promise<Result> {
    const { result, replayed } = await idempotency.run({ key, target: pathOf(request), caller, sent }, act);
    caller.replayed = replayed;
    return result;
  }

  /** The forms whose actions run: a second press of the button gets the result of the first. */
  const running = new Map<string, Promise<unknown>>();

  return {
    /**
     * Runs `act` once for a form that is sent twice: from the same page, whose version is its field `once`, with the same fields, by
     * the same name or from the same address. A form without `once` runs each time.
     */
    async runForm<Result>(
      request: Request,
      caller: Caller,
      form: object & { once?: string | undefined },
      act: (call: IdempotentCall | undefined) => Promise<Result>,
    ): Promise<Result> {
      if (!form.once) return act(undefined);
      // A secret is given again to the holder of a name's key, or of the nonce of a form: the digest of its fields is in the place of a
      // random key. That of other forms is short, and so scoped by the address.
      const digest = new Bun.CryptoHasher("sha256").update(JSON.stringify(form)).digest("hex");
      const is_random = caller.identity !== null || isNonce(form.once);
      const key = is_random ? digest : digest.slice(0, limits.long_idempotency_key_chars - 1);
      const keyed = { key, target: pathOf(request), caller, sent: form };
      const { key_hash } = idempotency.identify(keyed);
      const first = running.get(key_hash);
      if (first) return first as Promise<Result>;
      const result = idempotency.run(keyed, act).then((done) => done.result);
      running.set(key_hash, result);
      try {
        return await result;
      } finally {
        running.delete(key_hash);
      }
    },

    /**
     * Runs `act`, with the identified call if the request has an Idempotency-Key. `sent`: the input of the call. Notes in
     * `caller.replayed` whether the result is that of an earlier call. Throws `idempotency_in_progress` while the first call
     * runs.
     */
    run<Result>(
      request: Request,
      caller: Caller,
      sent: unknown,
      act: (call: IdempotentCall | undefined) => Promise<Result>,
    ): Promise<Result> {
      const key = keyOf(request);
      return key === null ? act(undefined) : runKeyed(request, caller, key, sent, act);
    },

    /**
     * The caller of a call that may replace its own key. A repetition with the same random Idempotency-Key may still send
     * the replaced key; every other unknown key throws `unknown_credential`. `sent` as for `run`.
     */
    async callerReplacing(request: Request, sent: (caller: Caller) => unknown): Promise<Caller> {
      try {
        return await callerOf(request);
      } catch (error) {
        const caller = isFailure(error, caller_errors.unknown_credential)
          ? await repeating(request, sent)
          : null;
        if (caller) return caller;
        throw error;
      }
    },
  };
}
