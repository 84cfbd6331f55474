/** What this browser can check by itself: SHA-256, and signatures by the keys of the service. */

import { readKeys, type Keys } from "../../src/verifier/jws.ts";

/** Why this browser can check nothing; null if it can. WebCrypto exists at https and on this machine only. */
export const cannotCheck = (): string | null =>
  globalThis.crypto?.subtle
    ? null
    : "This browser checks nothing here, because this page is not at an https address.";

/** The address of `path` below the base URL, where this script is at `assets/{digest}/{name}`. */
export const serviceUrl = (path: string): URL => new URL(`../../${path}`, import.meta.url);

/** The keys of the service; null if this browser has no Ed25519. Throws if the keys cannot be read. */
export async function serviceKeys(): Promise<Keys | null> {
  const response = await fetch(serviceUrl(".well-known/jwks.json"));
  if (!response.ok) throw new Error(`The keys of the service cannot be read: ${response.status}.`);
  const text = await response.text();
  try {
    return await readKeys(text);
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}
