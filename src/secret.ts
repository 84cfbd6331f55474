/** Secrets that are given out once: how they are made, told apart from typing errors, and kept only as a hash. */

import { timingSafeEqual } from "node:crypto";
import { ServiceError } from "./errors.ts";
import type { Random } from "./random.ts";

/** What each kind of secret begins with, so that people and scanners can tell it. */
export const secret_prefixes = { name_key: "wfk_", recovery_code: "wfr_", host_key: "wfh_" } as const;

const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const body_chars = 43; // 62^43 > 2^256
const checksum_chars = 6; // 62^6 > 2^32

function base62(value: bigint, chars: number): string {
  let text = "";
  for (let i = 0; i < chars; i++, value /= 62n) text = letters[Number(value % 62n)] + text;
  return text;
}

const checksum = (text: string): string => base62(BigInt(Bun.hash.crc32(text)), checksum_chars);

/** A new secret: `prefix`, 256 random bits in base 62, and the CRC32 of all before it (49 characters after the prefix). */
export function newSecret(prefix: string, random: Random): string {
  const head = prefix + base62(BigInt(`0x${random.bytes(32).toHex()}`), body_chars);
  return head + checksum(head);
}

/** Whether `text` has the shape and checksum of a secret with this prefix: a typing error does not. */
export function isSecret(prefix: string, text: string): boolean {
  if (text.length !== prefix.length + body_chars + checksum_chars || !text.startsWith(prefix)) return false;
  return text.slice(-checksum_chars) === checksum(text.slice(0, -checksum_chars));
}

/** SHA-256 of the UTF-8 bytes of `text`, in lower-case hex: all that is ever kept of a secret. */
export const sha256Hex = (text: string): string => Bun.SHA256.hash(text, "hex");

/** Compares two SHA-256 hex digests in constant time. */
export function sameDigest(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

const secret_start = new RegExp(Object.values(secret_prefixes).join("|"), "g");

/** Whether a secret of this service stands anywhere in `text`. */
export const holdsSecret = (text: string): boolean =>
  // Nearly every text has none, which is quickly seen.
  text.search(secret_start) >= 0 &&
  Array.from(text.matchAll(secret_start)).some(({ 0: prefix, index }) =>
    isSecret(prefix, text.slice(index, index + prefix.length + body_chars + checksum_chars)),
  );

const secret_form = new RegExp(
  `(${Object.values(secret_prefixes).join("|")})[0-9A-Za-z]{${body_chars + checksum_chars}}`,
  "g",
);

/** `text` with all that looks like a secret of this service taken out. */
export const hideSecrets = (text: string): string => text.replace(secret_form, "$1…");

/** Throws `contains_key` when one of the texts, each under the path of its field, holds a secret of this service. */
export function refuseSecrets(texts: Record<string, string>): void {
  const paths = Object.keys(texts).filter((path) => holdsSecret(texts[path]!));
  if (paths.length === 0) return;
  const errors = paths.map((path) => ({ path, message: "holds a key of this service" }));
  throw new ServiceError("contains_key", "A key of this service stands in the text: nothing was stored.", {
    errors,
    hint: "Take it out. If others may have seen the key, kill it: POST /api/name/revoke",
  });
}
