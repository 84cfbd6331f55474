/**
 * Tests whether the beacon's draws are uniform: a million rounds, with and without labels, by chi-square. Run alone:
 * bun bench/beacon_draws.ts [seed]
 */

import { drawInt, drawItems } from "../src/beacon/draws.ts";
import { seedOf, valueOf, type Value } from "../src/beacon/derivation.ts";

const draws = 1_000_000;

/** A distribution over `cells`, and the cell of a value. */
type Distribution = { what: string; cells: number; cellOf: (value: Value) => number };

const five = ["0", "1", "2", "3", "4"];

/** The index of an order of five among all 120 (Lehmer code). */
function orderNumber(order: string[]): number {
  const left = [...five];
  return order.reduce((number, item) => {
    const place = left.indexOf(item);
    const number_here = number * left.length + place;
    left.splice(place, 1);
    return number_here;
  }, 0);
}

const distributions: Distribution[] = [
  { what: "coin", cells: 2, cellOf: ({ coin }) => (coin === "heads" ? 1 : 0) },
  { what: "float, in 100 parts", cells: 100, cellOf: ({ float }) => Math.floor(float * 100) },
  ...[3, 10, 1_000].map((n) => ({
    what: `whole numbers, n = ${n}`,
    cells: n,
    cellOf: ({ hex }: Value) => drawInt(hex, 0, n - 1).result,
  })),
  { what: "orders of five", cells: 120, cellOf: ({ hex }) => orderNumber(drawItems(hex, five, 5).result) },
];

/** Chi-square of `counts` against the uniform distribution (Pearson 1900). */
function chiSquare(counts: Uint32Array): number {
  const expected = draws / counts.length;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

/** Chi-square as standard deviations from its mean (Wilson and Hilferty 1931). */
function deviations(chi_square: number, cells: number): number {
  const freedom = cells - 1;
  const spread = 2 / (9 * freedom);
  return (Math.cbrt(chi_square / freedom) - (1 - spread)) / Math.sqrt(spread);
}

/** One uniform distribution in a hundred thousand exceeds this. */
const deviations_max = 4.4;

const seed = process.argv[2] ?? crypto.getRandomValues(new Uint8Array(32)).toHex();
const secret = Uint8Array.from(Bun.SHA256.hash(seed) as Uint8Array);
console.log(`seed ${seed}\n`);
console.log("| draws of 1,000,000 | label | cells | chi-square | standard deviations |");
console.log("| --- | --- | --- | --- | --- |");
let is_even = true;
for (const label of ["", "a label"]) {
  const counts = distributions.map(({ cells }) => new Uint32Array(cells));
  for (let round = 0; round < draws; round++) {
    const value = valueOf(seedOf(secret, round), label);
    distributions.forEach(({ cellOf }, i) => void counts[i]![cellOf(value)]!++);
  }
  distributions.forEach(({ what, cells }, i) => {
    const chi_square = chiSquare(counts[i]!);
    const off = deviations(chi_square, cells);
    is_even &&= Math.abs(off) < deviations_max;
    console.log(`| ${what} | ${label || "none"} | ${cells} | ${chi_square.toFixed(1)} | ${off.toFixed(2)} |`);
  });
}
console.log(is_even ? "\nwithin bounds" : "\nNOT within bounds");
process.exit(is_even ? 0 : 1);
