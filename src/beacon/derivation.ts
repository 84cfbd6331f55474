/** Computes the seed, the commitment and the value of a round from its day's secret (docs/contract.md, section 6). */

import { sha256Hex } from "../core/secrets.ts";

/** `hex(HMAC-SHA256(secret, "round:" + n))`, RFC 2104: 64 hex characters. */
export const seedOf = (secret: Uint8Array, round: number): string =>
  new Bun.CryptoHasher("sha256", secret).update(`round:${round}`).digest("hex");

/** `hex(SHA-256(ascii(seed)))`, published a week before the seed. */
export const commitOf = (seed: string): string => sha256Hex(seed);

export interface Value {
  label: string;
  /** 64 hex characters: the source of every draw. */
  hex: string;
  /** In [0, 1), a multiple of 2^-52. */
  float: number;
  coin: "heads" | "tails";
}

/** The value of a seed under `label`. Different labels give independent values. */
export function valueOf(seed: string, label: string): Value {
  const hex = sha256Hex(`${seed}:${label}`);
  return {
    label,
    hex,
    float: Number.parseInt(hex.slice(0, 13), 16) / 2 ** 52,
    coin: Number.parseInt(hex.slice(0, 2), 16) % 2 === 1 ? "heads" : "tails",
  };
}
