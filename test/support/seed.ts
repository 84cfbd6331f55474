/** The seed of a random test: new at each run, or the one in WHARF_TEST_SEED to run a failure again. */

import { seededRandom } from "./random.ts";

export interface Chance {
  seed: number;
  /** A whole number from 0 to below `end`. */
  below(end: number): number;
  /** One of `choices`. */
  oneOf<Choice>(choices: readonly Choice[]): Choice;
}

/** Chance from a seed, which is printed so that a failure can be run again. */
export function chance(test: string): Chance {
  const seed = Number(process.env.WHARF_TEST_SEED ?? crypto.getRandomValues(new Uint32Array(1))[0]);
  console.log(`${test}: WHARF_TEST_SEED=${seed}`);
  const random = seededRandom(seed);
  const below = (end: number): number => {
    const [a, b, c, d] = random.bytes(4);
    return Math.floor(((a! * 2 ** 24 + b! * 2 ** 16 + c! * 2 ** 8 + d!) / 2 ** 32) * end);
  };
  return { seed, below, oneOf: (choices) => choices[below(choices.length)]! };
}
