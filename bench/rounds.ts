/** Measures variants side by side: every round runs each variant once, and the medians are compared. */

import { allAtRest } from "./servers.ts";

export const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;

/** Runs all `ways` in each of `rounds`. Returns the median of each. */
export async function sideBySide<Way extends string>(
  rounds: number,
  ways: Record<Way, () => Promise<number>>,
): Promise<Record<Way, number>> {
  const seen = Object.entries(ways).map(([way]) => [way, [] as number[]] as const);
  for (let round = 0; round < rounds; round++) {
    for (const [way, values] of seen) {
      // Wait for the search index: its remaining work would disturb the next measurement.
      await allAtRest();
      values.push(await ways[way as Way]());
    }
  }
  return Object.fromEntries(seen.map(([way, values]) => [way, median(values)])) as Record<Way, number>;
}
