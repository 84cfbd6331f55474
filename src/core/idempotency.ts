/**
 * Idempotency: a call that is sent again with the same key does nothing twice and gets its first answer again, for 24 hours.
 * Neither a key nor a secret that an answer gave is stored: keys are hashed, secrets are derived again.
 */

import { hkdfSync } from "node:crypto";
import { call_errors } from "./error_codes.ts";
import { isoTime } from "./clock.ts";
import { ServiceError } from "./errors.ts";
import { limits } from "./limits.ts";
import type { Caller } from "./caller.ts";
import type { Random } from "./random.ts";
import { newSecret, secretFrom, sha256Hex } from "./secrets.ts";
import type { Once, Written } from "./storage.ts";
import { networksOf } from "./rate_limit/caller_networks.ts";
import type { ServiceClock } from "./clock.ts";

/** A call with an idempotency key. */
export interface KeyedCall {
  /** The key as the caller chose it. */
  key: string;
  /** What is called: a path, or a tool with what it is about. */
  target: string;
  caller: Caller;
  /** What makes two calls the same call. */
  sent: unknown;
}

/** The mark of a call that takes place once, as operations are given it. */
export interface OnceCall extends Once {
  /** The secret that the call at `at` gave for `prefix`; null where the key is too weak to derive one from. */
  derive: ((prefix: string, at: string) => string) | null;
}

/** A key of at least 128 bits, by its length: a UUID, or as many characters as 128 bits have in base64. */
export const isStrongKey = (key: string): boolean => key.length >= limits.strong_idempotency_key_chars;

/** Visible ASCII, so that it can stand in a header. */
const key_form = /^[\x21-\x7e]+$/;

export type Idempotency = ReturnType<typeof createIdempotency>;

/** `server_secret` (32 bytes in hex) never leaves the service; it is the same for as long as the database lives. */
export function createIdempotency(server_secret: string, clock: Pick<ServiceClock, "steady">) {
  const secret_bytes = Uint8Array.fromHex(server_secret);
  const running = new Set<string>();

  const mac = (key: Uint8Array | string, ...parts: unknown[]): string =>
    new Bun.CryptoHasher("sha256", key).update(JSON.stringify(parts)).digest("hex");

  /** The mark of a call. Throws `malformed_request` for a key that cannot be one. */
  function mark({ key, target, caller, sent }: KeyedCall): OnceCall {
    if (!key_form.test(key) || key.length > limits.idempotency_key_chars_max) {
      throw new ServiceError(call_errors.malformed_request, "The idempotency key is not usable.", {
        hint: `Send 1 to ${limits.idempotency_key_chars_max} visible ASCII characters, a UUID for example.`,
      });
    }
    const is_strong = isStrongKey(key);
    const credential = caller.identity?.canonical ?? null;
    const scope = [target, credential, is_strong ? null : networksOf(caller.address).narrow];
    // Keyed by what is not stored (HMAC, RFC 2104): what was sent cannot be guessed from the row.
    const fingerprint = mac(key, sent);
    return {
      key_hash: mac(secret_bytes, ...scope, key),
      fingerprint,
      at: isoTime(clock.steady()),
      derive: is_strong
        ? (prefix, at) => {
            const info = JSON.stringify([prefix, ...scope, fingerprint, at]);
            return secretFrom(prefix, new Uint8Array(hkdfSync("sha256", key, secret_bytes, info, 32)));
          }
        : null,
      // A weak key was nobody's own in the rows of before, so those are left alone.
      ...(is_strong && {
        earlier: { key, path: target, fingerprint: sha256Hex(JSON.stringify(sent) ?? "") },
      }),
    };
  }

  return {
    mark,

    /** Runs `act` with the mark of a call. Throws `idempotency_in_progress` while the first one runs. */
    async run<Result>(call: KeyedCall, act: (once: OnceCall) => Promise<Result>): Promise<Result> {
      const once = mark(call);
      if (running.has(once.key_hash)) {
        throw new ServiceError(
          call_errors.idempotency_in_progress,
          "The first call with this key is still running.",
          {
            retry_after_seconds: 1,
          },
        );
      }
      running.add(once.key_hash);
      try {
        return await act(once);
      } finally {
        running.delete(once.key_hash);
      }
    },
  };
}

/** A secret that an act gives out once. */
export interface IssuedSecret {
  sha256: string;
  /** The secret as the answer to `written` gives it; null where it was given before and cannot be derived again. */
  given(written: Written<unknown>): string | null;
}

/**
 * Makes a secret. With a strong idempotency key it is derived (HKDF, RFC 5869) from that key, the server's secret, what
 * scopes the call, what was sent and when, so that a repetition gets it again; otherwise it is random.
 */
export function issueSecret(prefix: string, random: Random, once: OnceCall | undefined): IssuedSecret {
  const derive = once?.derive ?? null;
  const text = derive ? derive(prefix, once!.at) : newSecret(prefix, random);
  return {
    sha256: sha256Hex(text),
    given({ repeated, first_at }) {
      if (!repeated) return text;
      return derive && first_at !== undefined ? derive(prefix, first_at) : null;
    },
  };
}

/** Said where a secret was given before and is not given again. */
export const already_given =
  "It was given in the first answer to this Idempotency-Key. To get it again in a repetition, begin with a key of " +
  `${limits.strong_idempotency_key_chars} characters or more, such as a UUID.`;
