/** Secrets: creates them, checks their form, hashes them, and finds them in texts where none belongs. */

import { timingSafeEqual } from "node:crypto";
import { call_errors } from "./general_errors.ts";
import { type FailureExtra, ServiceError } from "./errors.ts";
import { limits } from "./limits.ts";
import type { Random } from "./random.ts";

/** The prefix of each kind of secret, by which readers and scanners recognise it. */
export const secret_prefixes = {
  name_key: "wfk_",
  recovery_code: "wfr_",
  host_key: "wfh_",
  admin_token: "wfa_",
  invite: "wfi_",
  session: "wfs_",
  access_token: "wft_",
  refresh_token: "wfo_",
  authorization_code: "wfc_",
  client_secret: "wfx_",
} as const;

const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const body_chars = 43; // 62^43 > 2^256
const checksum_chars = 6; // 62^6 > 2^32

function base62(value: bigint, chars: number): string {
  let text = "";
  for (let i = 0; i < chars; i++, value /= 62n) text = letters[Number(value % 62n)] + text;
  return text;
}

const checksum = (text: string): string => base62(BigInt(Bun.hash.crc32(text)), checksum_chars);

/** The text of a 32-byte secret: `prefix`, the bytes in base 62, and the CRC32 of both (49 characters after the prefix). */
export function secretFrom(prefix: string, bytes: Uint8Array): string {
  const head = prefix + base62(BigInt(`0x${bytes.toHex()}`), body_chars);
  return head + checksum(head);
}

/** A new secret of 256 random bits. */
export const newSecret = (prefix: string, random: Random): string => secretFrom(prefix, random.bytes(32));

/** Whether `text` has the form and checksum of a secret with this prefix. A mistyped one does not. */
export function isSecret(prefix: string, text: string): boolean {
  if (text.length !== prefix.length + body_chars + checksum_chars || !text.startsWith(prefix)) return false;
  return text.slice(-checksum_chars) === checksum(text.slice(0, -checksum_chars));
}

/** SHA-256 of the UTF-8 bytes of `text`, in lower-case hex. Of a secret, only this is stored. */
export const sha256Hex = (text: string): string => Bun.SHA256.hash(text, "hex");

/** Compares two SHA-256 hex digests in constant time. A caller may have sent any text as one. */
export function sameDigest(a: string, b: string): boolean {
  const [bytes, others] = [Buffer.from(a), Buffer.from(b)];
  return bytes.length === others.length && timingSafeEqual(bytes, others);
}

// The checksum covers the prefix, so this also finds kinds of secrets that later versions add.
const secret_start = /wf[a-z]_/;
const secret_starts = /wf[a-z]_/g;

/** Whether `text` contains a secret of this service. */
export const holdsSecret = (text: string): boolean =>
  // Fast path: nearly every text has no secret.
  secret_start.test(text) &&
  Array.from(text.matchAll(secret_starts)).some(({ 0: prefix, index }) =>
    isSecret(prefix, text.slice(index, index + prefix.length + body_chars + checksum_chars)),
  );

/** How often an address is decoded, because programs on the way may encode it again. */
const decodings_max = 3;

/** Whether a secret is in an address, percent-encoded (RFC 3986, section 2.1) or not. */
export function addressHoldsSecret(address: string): boolean {
  let text = address;
  for (let decodings = 0; !holdsSecret(text); decodings++) {
    if (decodings === decodings_max || !text.includes("%")) return false;
    // A secret is ASCII; other bytes stay encoded.
    text = text.replace(/%([2-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  }
  return true;
}

const secret_form = new RegExp(`(wf[a-z]_)[0-9A-Za-z]{${body_chars + checksum_chars}}`, "g");

/** `text` with everything that has the form of a secret cut after its prefix. */
export const hideSecrets = (text: string): string => text.replace(secret_form, "$1…");

/** Throws `contains_key` if one of the texts, by the paths of their fields, contains a secret. `extra` can choose its hint. */
export function refuseSecrets(
  texts: Record<string, string>,
  extra: Pick<FailureExtra, "situation"> = {},
): void {
  const paths = Object.keys(texts).filter((path) => holdsSecret(texts[path]!));
  if (paths.length > 0) throw containsKey(paths, extra);
}

/** Whether JSON can contain a secret: a fast test of the text before its values are examined. */
export const jsonMayHoldSecret = (json: string): boolean =>
  // JSON can spell each character of a secret as \u00 and two hexadecimal digits.
  secret_start.test(json) || json.includes("\\u00");

/** Names of members that an error may repeat: too short for a key. */
const showable = /^[A-Za-z0-9_.-]{1,40}$/;

/** Whether a string or the name of a member anywhere in a JSON value contains a secret. */
function holdsSecretWithin(value: unknown): boolean {
  if (typeof value === "string") return holdsSecret(value);
  if (typeof value !== "object" || value === null) return false;
  for (const name in value) {
    if (holdsSecret(name) || holdsSecretWithin((value as Record<string, unknown>)[name])) return true;
  }
  return false;
}

/**
 * Throws `contains_key` if a string or the name of a member anywhere in a JSON value contains a secret. Skips the pointers
 * (RFC 6901) in `keys_belong_at`. For a member whose name cannot be shown, the error names the value around it.
 */
export function refuseSecretsIn(value: unknown, keys_belong_at: readonly string[] = []): void {
  // Fast path: nearly every value has none. Pointers are only made for an error.
  if (!holdsSecretWithin(value)) return;
  const paths = new Set<string>();
  function look(part: unknown, path: string, shown_path: string): void {
    if (keys_belong_at.includes(path)) return;
    if (typeof part === "string" && holdsSecret(part)) paths.add(shown_path);
    if (typeof part !== "object" || part === null) return;
    for (const [name, member] of Object.entries(part)) {
      if (paths.size === limits.field_errors_max) return;
      if (holdsSecret(name)) paths.add(shown_path);
      else
        look(
          member,
          `${path}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`,
          showable.test(name) ? `${shown_path}/${name}` : shown_path,
        );
    }
  }
  look(value, "", "");
  if (paths.size > 0) throw containsKey([...paths]);
}

/** The error for keys in the wrong place. `paths`: the paths of the fields that contain one. */
const containsKey = (paths: string[], extra: FailureExtra = {}): ServiceError =>
  new ServiceError(call_errors.contains_key, "A key of this service is in the text. Nothing was stored.", {
    ...extra,
    errors: paths.map((path) => ({ path, message: "holds a key of this service" })),
  });

/** The error for a key in the address of a request. */
export const addressContainsKey = (): ServiceError =>
  new ServiceError(call_errors.contains_key, "A key of this service is in the address of the request.");
