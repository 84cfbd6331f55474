/**
 * Draws whole numbers, picks and shuffles without modulo bias: Ronald L. Rivest's sampler for election audits
 * (people.csail.mit.edu/rivest/sampler.py) with rejection of the hashes that would favour small numbers.
 */

import { sha256Hex } from "../core/secrets.ts";

/** One hash of a draw, published so that the draw can be repeated by hand. */
export interface Step {
  /** The counter: `sha256` is the hash of `<draw.hex>,<i>`. */
  i: number;
  sha256: string;
  /** The number of outcomes. */
  of: number;
  /** The hash modulo `of`; null if the hash was rejected because it would favour small outcomes. */
  taken: number | null;
}

const all_hashes = 2n ** 256n;

/**
 * Returns a function that draws a whole number from 0 to below `of` and adds its hashes to `steps`. `text` is the source of
 * the draw, `hashOf` is SHA-256 in hex.
 */
export function sampler(text: string, steps: Step[], hashOf = sha256Hex): (of: number) => number {
  return (of) => {
    const fair_below = (all_hashes / BigInt(of)) * BigInt(of);
    for (;;) {
      const i = steps.length + 1;
      const sha256 = hashOf(`${text},${i}`);
      const hash = BigInt(`0x${sha256}`);
      const taken = hash < fair_below ? Number(hash % BigInt(of)) : null;
      steps.push({ i, sha256, of, taken });
      if (taken !== null) return taken;
    }
  };
}

/** Draws a whole number from `from` to `to`, inclusive. */
export function drawInt(text: string, from: number, to: number): { result: number; steps: Step[] } {
  const steps: Step[] = [];
  return { result: from + sampler(text, steps)(to - from + 1), steps };
}

/**
 * Draws the first `count` items of a shuffle (Fisher and Yates, from the front; Durstenfeld 1964). A pick is therefore
 * the beginning of the shuffle with the same label.
 */
export function drawItems(text: string, items: string[], count: number): { result: string[]; steps: Step[] } {
  const steps: Step[] = [];
  const next = sampler(text, steps);
  const result = [...items];
  for (let k = 0; k < Math.min(count, items.length - 1); k++) {
    const chosen = k + next(items.length - k);
    [result[k], result[chosen]] = [result[chosen]!, result[k]!];
  }
  return { result: result.slice(0, count), steps };
}
