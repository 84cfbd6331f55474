/** Verifies signed roots: compact JWS (RFC 7515) with Ed25519 (RFC 8037), by WebCrypto. */

import { utf8, type Bytes } from "./hashes.ts";

export interface Statement {
  iss: string;
  day: string;
  first_round: number;
  rounds: number;
  root: string;
  prev: string | null;
}

/** Public keys with their ids. The key of a PEM file has no id; it is tried for every statement. */
export type Keys = { kid: string | null; key: CryptoKey }[];

const ed25519 = { name: "Ed25519" };

function fromBase64(text: string): Bytes {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (char) => char.charCodeAt(0));
}

/** Reads the keys of a JWK set (RFC 7517) or a PEM file. Throws if `text` is neither. */
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

/** The payload of a statement. Throws an error with the reason if the signature is not valid. */
export async function readStatement(jws: string, keys: Keys): Promise<Statement> {
  const [header_part = "", payload_part = "", signature_part = ""] = jws.split(".");
  const header = parsed(header_part) as { alg?: string; typ?: string; kid?: string };
  if (header.alg !== "EdDSA" || header.typ !== "beacon-day+jwt") {
    throw new Error("the statement is not one about a day of a beacon");
  }
  const fitting = keys.filter(({ kid }) => kid === null || kid === header.kid);
  if (fitting.length === 0) throw new Error("the statement is signed by a key that is not among the keys");
  const signed = utf8(`${header_part}.${payload_part}`);
  const signature = fromBase64(signature_part);
  for (const { key } of fitting) {
    if (await crypto.subtle.verify(ed25519, key, signature, signed)) return parsed(payload_part) as Statement;
  }
  throw new Error("the statement's signature does not fit its key");
}

function parsed(part: string): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(fromBase64(part)));
  } catch {
    throw new Error("the statement is not a compact JWS");
  }
}
