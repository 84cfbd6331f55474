/** Repeats draws from a seed: values, whole numbers, picks and shuffles. Written from the protocol, not from the service. */

import { sha256Text } from "./hashes.ts";

export interface Redrawn {
  hex: string;
  float: number;
  coin: string;
  /** The number, or the items in their order; undefined if the query has no draw. */
  result?: number | string[];
}

/** Repeats the draw of `query`, such as `label=lunch&int=1..6`. */
export async function redraw(seed: string, query: URLSearchParams): Promise<Redrawn> {
  const hex = await sha256Text(`${seed}:${query.get("label") ?? ""}`);
  const float = Number(BigInt(`0x${hex.slice(0, 13)}`)) / 4503599627370496;
  const coin = "13579bdf".includes(hex[1]!) ? "heads" : "tails";
  const result = await resultOf(hex, query);
  return { hex, float, coin, ...(result !== undefined && { result }) };
}

async function resultOf(hex: string, query: URLSearchParams): Promise<number | string[] | undefined> {
  let counter = 0;
  /** A number from 0 to below `outcomes`. Rejects hashes at or above the largest multiple of `outcomes`. */
  async function next(outcomes: bigint): Promise<bigint> {
    const hash = BigInt(`0x${await sha256Text(`${hex},${++counter}`)}`);
    const rest = (1n << 256n) % outcomes;
    return hash < (1n << 256n) - rest ? hash % outcomes : next(outcomes);
  }
  const int = query.get("int");
  if (int !== null) {
    const [from, to] = int.split("..").map(BigInt) as [bigint, bigint];
    return Number(from + (await next(to - from + 1n)));
  }
  const items = (query.get("pick") ?? query.get("shuffle"))?.split(",");
  if (!items) return undefined;
  const wanted = query.has("pick") ? Number(query.get("n") ?? 1) : items.length;
  const drawn: string[] = [];
  // Moving the front item into the gap has the same effect as swapping in place.
  while (drawn.length < wanted) {
    const chosen = items.length > 1 ? Number(await next(BigInt(items.length))) : 0;
    drawn.push(items[chosen]!);
    items[chosen] = items[0]!;
    items.shift();
  }
  return drawn;
}
