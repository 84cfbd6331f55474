/** Verifies compact JWS (RFC 7515) with Ed25519 (RFC 8037), by WebCrypto. Runs in the program and in browsers. */

import { utf8, type Bytes } from "./hashes.ts";

/** Public keys with their ids. The key of a PEM file has no id; it is tried for every signature. */
export type Keys = { kid: string | null; key: CryptoKey }[];

/** The payload of a valid JWS, or why there is none. */
type Opened =
  { payload: Record<string, unknown> } | { fault: "not_jws" | "other_header" | "unknown_key" | "signature" };

const ed25519 = { name: "Ed25519" };

function fromBase64(text: string): Bytes {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (char) => char.charCodeAt(0));
}

const toBase64url = (bytes: Bytes): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");

/**
 * Reads the keys of a JWK set (RFC 7517) or a PEM file. Throws if `text` is neither, and a `NotSupportedError` if this
 * browser has no Ed25519.
 */
export async function readKeys(text: string): Promise<Keys> {
  const pem = /-----BEGIN PUBLIC KEY-----([\s\S]+?)-----END/.exec(text)?.[1];
  if (pem) {
    const der = fromBase64(pem.replace(/\s/g, ""));
    return [{ kid: null, key: await crypto.subtle.importKey("spki", der, ed25519, false, ["verify"]) }];
  }
  const { keys } = JSON.parse(text) as { keys: { kty: string; crv: string; x: string; kid: string }[] };
  return Promise.all(
    keys.map(async ({ kty, crv, x, kid }) => ({
      kid,
      key: await crypto.subtle.importKey("jwk", { kty, crv, x }, ed25519, false, ["verify"]),
    })),
  );
}

/** Verifies a JWS whose header has this `typ`. */
export async function openJws(jws: string, typ: string, keys: Keys): Promise<Opened> {
  const parts = jws.trim().split(".");
  if (parts.length !== 3 || !parts.every((part) => /^[\w-]+$/.test(part))) return { fault: "not_jws" };
  const [header_part, payload_part, signature_part] = parts as [string, string, string];
  const header = jsonIn(header_part);
  const { alg, kid } = header ?? {};
  if (!header || alg !== "EdDSA" || header.typ !== typ || "crit" in header || typeof kid !== "string") {
    return { fault: "other_header" };
  }
  const fitting = keys.filter((known) => known.kid === null || known.kid === kid);
  if (fitting.length === 0) return { fault: "unknown_key" };
  const signature = bytesIn(signature_part);
  const signed = utf8(`${header_part}.${payload_part}`);
  // Reject non-canonical base64url.
  if (!signature || toBase64url(signature) !== signature_part) return { fault: "signature" };
  for (const { key } of fitting) {
    const payload = (await crypto.subtle.verify(ed25519, key, signature, signed)) && jsonIn(payload_part);
    if (payload) return { payload };
  }
  return { fault: "signature" };
}

/** The header and the payload of a JWS without a check of its signature; null where there is no JSON object. */
export function unverified(jws: string): Record<"header" | "payload", Record<string, unknown> | null> {
  const [header = "", payload = ""] = jws.trim().split(".");
  return { header: jsonIn(header), payload: jsonIn(payload) };
}

/** The bytes of a part; null if it is not base64url. */
function bytesIn(part: string): Bytes | null {
  try {
    return fromBase64(part);
  } catch {
    return null;
  }
}

/** The JSON object in a part; null if there is none. */
function jsonIn(part: string): Record<string, unknown> | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(fromBase64(part));
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
