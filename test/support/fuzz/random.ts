/** Random numbers of which every attempt has its own: an attempt can be made again without those before it. */

import { randomFrom, type Random as Numbers } from "../seed.ts";

export interface Random extends Numbers {
  /** True in one of `times` cases. */
  once(times: number): boolean;
}

/** The numbers of attempt `n` of a lane. */
export function randomOf(seed: number, lane: string, n: number): Random {
  const numbers = randomFrom(Bun.hash.crc32(`${seed} ${lane} ${n}`));
  return { ...numbers, once: (times) => numbers.below(times) === 0 };
}
