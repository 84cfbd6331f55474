/** Random numbers that a seed repeats (SplitMix64, Steele, Lea and Flood 2014). For tests: whoever knows the seed knows them all. */

import type { Random } from "../core/random.ts";

/** The position after the numbers that were drawn. */
export interface RandomState {
  seed: bigint;
  /** The time of the latest id, and how many ids of that time came before it. */
  id_ms: number;
  id_count: number;
}

export interface SeededRandom extends Random {
  state(): RandomState;
}

/** Returns the numbers of `seed`; with the state of another source, those that it would return next. */
export function seededRandom(from: number | RandomState): SeededRandom {
  const start = typeof from === "number" ? { seed: BigInt(from), id_ms: 0, id_count: 0 } : from;
  let { seed, id_ms, id_count } = start;
  const next = (): bigint => {
    seed = BigInt.asUintN(64, seed + 0x9e3779b97f4a7c15n);
    let z = seed;
    z = BigInt.asUintN(64, (z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
    z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn);
    return z ^ (z >> 31n);
  };
  const bytes = (count: number) => Uint8Array.from({ length: count }, () => Number(next() & 0xffn));
  return {
    bytes,
    uuid(now_ms) {
      id_count = now_ms === id_ms ? id_count + 1 : 0;
      id_ms = now_ms;
      return uuidV7(bytes(16), now_ms, id_count);
    },
    state: () => ({ seed, id_ms, id_count }),
  };
}

/**
 * A UUIDv7 (RFC 9562, section 5.7) of these 16 bytes: 48 bits of unix milliseconds, 12 of a count, so that later ids of one
 * millisecond sort later (section 6.2, method 1), and 62 of the bytes.
 */
function uuidV7(bytes: Uint8Array, now_ms: number, count: number): string {
  for (let i = 0; i < 6; i++) bytes[i] = Math.floor(now_ms / 2 ** (8 * (5 - i))) & 0xff;
  bytes[6] = 0x70 | ((count >> 8) & 0x0f);
  bytes[7] = count & 0xff;
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  return bytes.toHex().replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
