/** Measuring side by side: every way gets its turn in every round, and medians are compared. */

import { allAtRest } from "./servers.ts";

export const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;

/** Runs all of `ways` in each of `rounds`. Answers with the median of each. */
export async function sideBySide<Way extends string>(
  rounds: number,
  ways: Record<Way, () => Promise<number>>,
): Promise<Record<Way, number>> {
  const seen = Object.entries(ways).map(([way]) => [way, [] as number[]] as const);
  for (let round = 0; round < rounds; round++) {
    for (const [way, values] of seen) {
      // Search follows the writes: what is still to be indexed would be done while the next way is measured.
      await allAtRest();
      values.push(await ways[way as Way]());
    }
  }
  return Object.fromEntries(seen.map(([way, values]) => [way, median(values)])) as Record<Way, number>;
}
