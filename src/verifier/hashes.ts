/** SHA-256 with WebCrypto. The verifier shares no code with the service that it checks. */

export type Bytes = Uint8Array<ArrayBuffer>;

export const utf8 = (text: string): Bytes => new TextEncoder().encode(text);

export const sha256 = async (bytes: Bytes): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));

export const sha256Text = async (text: string): Promise<string> => toHex(await sha256(utf8(text)));

export const toHex = (bytes: Bytes): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Decodes 64 hex characters. Throws for anything else. */
export function fromHex(hex: unknown): Bytes {
  if (typeof hex !== "string" || !/^[0-9a-f]{64}$/.test(hex))
    throw new Error("a hash is not 64 hex characters");
  return Uint8Array.from(hex.match(/../g)!, (pair) => Number.parseInt(pair, 16));
}
