/**
 * Idempotency: for 24 hours, a repetition of a call with the same key changes nothing and gets the first result again. Neither
 * keys nor returned secrets are stored: keys are hashed, secrets are derived again.
 */

import { hkdfSync } from "node:crypto";
import { call_errors } from "./general_errors.ts";
import { isoTime } from "./clock.ts";
import { ServiceError } from "./errors.ts";
import { isIdempotencyKey } from "./fields.ts";
import { limits } from "./limits.ts";
import type { Caller } from "./caller.ts";
import { randomSlug, type Random } from "./random.ts";
import { newSecret, secretFrom, sha256Hex } from "./secrets.ts";
import type { IdempotentCall, Written } from "./storage.ts";
import { networksOf } from "./rate_limit/caller_networks.ts";
import type { ServiceClock } from "./clock.ts";

/** A call with an idempotency key. */
interface KeyedCall {
  /** The idempotency key of the caller. */
  key: string;
  /** The called path or tool. */
  target: string;
  caller: Caller;
  /** The input: calls with the same key and another input are refused. */
  sent: unknown;
}

/** The result of a call with an idempotency key. */
interface Once<Result> {
  result: Result;
  /** Whether it is the result of an earlier call. */
  replayed: boolean;
}

/** A UUID of random bits: version 4, or 7, which has 74 of them (RFC 9562, section 5). */
const random_uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const hex = /^(?:[0-9a-f]+|[0-9A-F]+)$/;
/** Base64url with letters of both cases: a key of words in lower case has the same alphabet. */
const base64url = /^(?=.*[a-z])(?=.*[A-Z])[A-Za-z0-9_-]+$/;

/** Whether a key has the form of one that nobody guesses: a random UUID, or random bytes in hex or base64url. */
export function isRandomKey(key: string): boolean {
  if (new Set(key).size < limits.random_idempotency_key_different_chars) return false;
  if (random_uuid.test(key)) return true;
  return key.length >= limits.random_idempotency_key_chars && (hex.test(key) || base64url.test(key));
}

export type Idempotency = ReturnType<typeof createIdempotency>;

/** `server_secret`: 32 bytes in hex, stored in the database and never returned. */
export function createIdempotency(server_secret: string, clock: Pick<ServiceClock, "steady">) {
  const secret_bytes = Uint8Array.fromHex(server_secret);
  const running = new Set<string>();

  const mac = (key: Uint8Array | string, ...parts: unknown[]): string =>
    new Bun.CryptoHasher("sha256", key).update(JSON.stringify(parts)).digest("hex");

  /** Throws `malformed_request` if the key is not valid. */
  function identify({ key, target, caller, sent }: KeyedCall): IdempotentCall {
    if (!isIdempotencyKey(key)) {
      throw new ServiceError(call_errors.malformed_request, "The idempotency key is not usable.", {
        hint: `Send 1 to ${limits.idempotency_key_chars_max} visible ASCII characters, a UUID for example.`,
      });
    }
    const is_long = key.length >= limits.long_idempotency_key_chars;
    const credential = caller.identity?.canonical ?? null;
    const scope = [target, credential, is_long ? null : networksOf(caller.address).narrow];
    // Keyed with a value that is not stored (HMAC, RFC 2104), so that the input cannot be guessed from the row.
    const fingerprint = mac(key, sent);
    return {
      key_hash: mac(secret_bytes, ...scope, key),
      fingerprint,
      at: isoTime(clock.steady()),
      // A caller that guesses a key can repeat its call, and must not get the secrets of that.
      ...(isRandomKey(key) && {
        derive(prefix, at) {
          const info = JSON.stringify([prefix, ...scope, fingerprint, at]);
          return secretFrom(prefix, new Uint8Array(hkdfSync("sha256", key, secret_bytes, info, 32)));
        },
      }),
      // Only for long keys: earlier releases shared short ones between callers.
      ...(is_long && {
        earlier: { key, path: target, fingerprint: sha256Hex(JSON.stringify(sent) ?? "") },
      }),
    };
  }

  return {
    identify,

    /**
     * Runs `act`, which passes the identified call to one command. Returns its result, and whether that is the result of an
     * earlier call. Throws `idempotency_in_progress` while the command of the first call runs.
     */
    async run<Result>(
      keyed: KeyedCall,
      act: (call: IdempotentCall) => Promise<Result>,
    ): Promise<Once<Result>> {
      const call = identify(keyed);
      if (running.has(call.key_hash)) {
        throw new ServiceError(
          call_errors.idempotency_in_progress,
          "The first call with this key is still running.",
          { retry_after_seconds: 1 },
        );
      }
      running.add(call.key_hash);
      let is_running = true;
      const end = () => {
        if (is_running) running.delete(call.key_hash);
        is_running = false;
      };
      let replayed = false;
      call.onWritten = (repeated) => {
        replayed = repeated;
        // Work of `act` after the command, such as waiting for replies, must not delay a repetition.
        end();
      };
      try {
        const result = await act(call);
        return { result, replayed };
      } finally {
        end();
      }
    },
  };
}

/** 130 random bits for the field `once` of a form that only one browser has, so that a repetition may have its secrets again. */
export const newNonce = (random: Random): string => randomSlug(random, 130);
export const isNonce = (once: string | undefined): once is string =>
  once !== undefined && /^[a-z2-7]{26}$/.test(once);

/** A secret that a command returns in its first result only. */
interface IssuedSecret {
  sha256: string;
  /** The secret for the answer to `written`; null for a repetition if the secret cannot be derived again. */
  given(written: Written<unknown>): string | null;
}

/**
 * Creates a secret. With a random idempotency key it is derived (HKDF, RFC 5869) from the key, the server's secret, the scope,
 * the input and the time of the call, so that a repetition gets it again. Otherwise it is random.
 */
export function issueSecret(prefix: string, random: Random, call: IdempotentCall | undefined): IssuedSecret {
  const derive = call?.derive;
  const text = derive ? derive(prefix, call.at) : newSecret(prefix, random);
  return {
    sha256: sha256Hex(text),
    given({ repeated, first_at }) {
      if (!repeated) return text;
      return derive && first_at !== undefined ? derive(prefix, first_at) : null;
    },
  };
}

/** The explanation in answers that do not repeat a secret. */
export const already_given =
  "Only the first answer has it. A repetition has it too if the idempotency key is a random UUID, or " +
  `${limits.random_idempotency_key_chars} or more random characters of hex or base64url.`;
