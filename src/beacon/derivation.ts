/** How a round's seed, commitment and value follow from a day's secret. Pure; docs/contract.md, section 6, defines it. */

import { sha256Hex } from "../core/secrets.ts";

/** `hex(HMAC-SHA256(secret, "round:" + n))`, RFC 2104: 64 hex characters. */
export const seedOf = (secret: Uint8Array, round: number): string =>
  new Bun.CryptoHasher("sha256", secret).update(`round:${round}`).digest("hex");

/** `hex(SHA-256(ascii(seed)))`: what is published long before the seed. */
export const commitOf = (seed: string): string => sha256Hex(seed);

export interface Value {
  label: string;
  /** 64 hex characters, from which everything else is drawn. */
  hex: string;
  /** In [0, 1), a multiple of 2^-52. */
  float: number;
  coin: "heads" | "tails";
}

/** The draw of a round's seed under `label`; rounds have as many independent draws as there are labels. */
export function valueOf(seed: string, label: string): Value {
  const hex = sha256Hex(`${seed}:${label}`);
  return {
    label,
    hex,
    float: Number.parseInt(hex.slice(0, 13), 16) / 2 ** 52,
    coin: Number.parseInt(hex.slice(0, 2), 16) % 2 === 1 ? "heads" : "tails",
  };
}
