/** The seed of a random test: new at each run, or the one in WHARF_TEST_SEED to run a failure again. */

export interface Random {
  /** A whole number from 0 to below `end`. */
  below(end: number): number;
  /** One of `choices`. */
  oneOf<Choice>(choices: readonly Choice[]): Choice;
}

export interface TestRandom extends Random {
  seed: number;
}

/** Random numbers from a seed, which is printed so that a failure can be run again. */
export function testRandom(test: string): TestRandom {
  const seed = Number(process.env.WHARF_TEST_SEED ?? crypto.getRandomValues(new Uint32Array(1))[0]);
  console.log(`${test}: WHARF_TEST_SEED=${seed}`);
  return { seed, ...randomFrom(seed) };
}

/** Random numbers by Mulberry32 (Tommy Ettinger, public domain): a million steps of a simulation need a fast generator. */
export function randomFrom(seed: number): Random {
  let state = seed | 0;
  const below = (end: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * end);
  };
  return { below, oneOf: (choices) => choices[below(choices.length)]! };
}
