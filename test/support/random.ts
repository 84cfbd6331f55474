/** Randomness that a seed repeats (SplitMix64, Steele, Lea and Flood 2014). */

import type { Random } from "../../src/random.ts";

export function seededRandom(seed: number): Random {
  let state = BigInt(seed);
  const next = (): bigint => {
    state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n);
    let z = state;
    z = BigInt.asUintN(64, (z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
    z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn);
    return z ^ (z >> 31n);
  };
  return { bytes: (count) => Uint8Array.from({ length: count }, () => Number(next() & 0xffn)) };
}
