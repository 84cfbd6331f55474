/** Ed25519 keys as JWKs (RFC 8037): creates keys, signs, verifies. */

import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from "node:crypto";
import type { Random } from "../core/random.ts";
import { sha256Hex } from "../core/secrets.ts";
import type { PublicKey } from "../api/receipts/receipts.ts";

/** Base64url without padding (RFC 7515, section 2). */
export const base64url = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString("base64url");

// A PKCS #8 key for Ed25519 (RFC 8410, section 7) is this prefix followed by the 32 bytes of the seed.
const pkcs8_prefix = Buffer.from("302e020100300506032b657004220420", "hex");

/** A private key from its 32-byte seed. */
const privateKeyFrom = (seed: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([pkcs8_prefix, seed]), format: "der", type: "pkcs8" });

/** The thumbprint of a key (RFC 7638): SHA-256 of its required members in lexicographic order. */
const thumbprint = (x: string): string =>
  Buffer.from(sha256Hex(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`), "hex").toString("base64url");

/** A new key pair. */
export function newKey(random: Random): { kid: string; x: string; d: string } {
  const seed = random.bytes(32);
  const { x } = createPublicKey(privateKeyFrom(seed)).export({ format: "jwk" }) as { x: string };
  return { kid: thumbprint(x), x, d: base64url(seed) };
}

/** A public key as published. Has no `alg`, because some verifiers reject a key with it. */
export const publicJwk = ({ kid, x }: { kid: string; x: string }): PublicKey => ({
  kty: "OKP",
  crv: "Ed25519",
  kid,
  use: "sig",
  x,
});

const publicKeyFrom = (x: string): KeyObject =>
  createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });

/** A public key as PEM, for openssl. */
export const publicPem = (x: string): string => publicKeyFrom(x).export({ format: "pem", type: "spki" });

/** Returns a function that signs a JWS signing input (RFC 7515, section 5.1). `d` is the 32-byte seed in base64url. */
export function signerOf(d: string): (text: string) => string {
  const key = privateKeyFrom(Buffer.from(d, "base64url"));
  return (text) => base64url(sign(null, Buffer.from(text), key));
}

/** Returns a function that verifies signatures. `x` is the public point in base64url. */
export function verifierOf(x: string): (text: string, signature: Uint8Array) => boolean {
  const key = publicKeyFrom(x);
  return (text, signature) => signature.length === 64 && verify(null, Buffer.from(text), key, signature);
}
