/** Randomness that a seed repeats (SplitMix64, Steele, Lea and Flood 2014). */

import type { Random } from "../../src/core/random.ts";

export function seededRandom(seed: number): Random {
  let state = BigInt(seed);
  const next = (): bigint => {
    state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n);
    let z = state;
    z = BigInt.asUintN(64, (z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
    z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn);
    return z ^ (z >> 31n);
  };
  const bytes = (count: number) => Uint8Array.from({ length: count }, () => Number(next() & 0xffn));
  return { bytes, uuid: (now_ms) => uuidV7(bytes(16), now_ms) };
}

/** A UUIDv7 (RFC 9562, section 5.7) of these 16 bytes: 48 bits of unix milliseconds, then 74 of theirs. */
function uuidV7(bytes: Uint8Array, now_ms: number): string {
  for (let i = 0; i < 6; i++) bytes[i] = Math.floor(now_ms / 2 ** (8 * (5 - i))) & 0xff;
  bytes[6] = 0x70 | (bytes[6]! & 0x0f);
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  return bytes.toHex().replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
