/** Random numbers of which every attempt has its own: an attempt can be made again without those before it. */

import { seededNumbers } from "../seed.ts";

export interface Random {
  /** A whole number from 0 to below `end`. */
  below(end: number): number;
  /** One of `choices`. */
  oneOf<Choice>(choices: readonly Choice[]): Choice;
  /** True in one of `times` cases. */
  once(times: number): boolean;
}

/** The numbers of attempt `n` of a lane. */
export function randomOf(seed: number, lane: string, n: number): Random {
  const below = seededNumbers(Bun.hash.crc32(`${seed} ${lane} ${n}`));
  return {
    below,
    oneOf: (choices) => choices[below(choices.length)]!,
    once: (times) => below(times) === 0,
  };
}
