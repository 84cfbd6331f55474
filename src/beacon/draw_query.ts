/** Parses the query of a draw, and draws. */

import { invalidFields } from "../core/errors.ts";
import type { Beacon, Round } from "./beacon.ts";
import { drawInt, drawItems, type Step } from "./draws.ts";
import { valueOf, type Value } from "./derivation.ts";
import type { WaitOptions } from "../core/waits.ts";
import type { DrawRequest } from "../api/beacon/pages.ts";
import { beacon_limits } from "../api/limits.ts";

export interface Query {
  label?: string | undefined;
  int?: string | undefined;
  pick?: string | undefined;
  n?: string | undefined;
  shuffle?: string | undefined;
}

type Drawn =
  | (Extract<DrawRequest, { kind: "int" }> & { result: number; steps: Step[] })
  | (Exclude<DrawRequest, { kind: "int" }> & { result: string[]; steps: Step[] });

/** Parses the number of a round. Throws `invalid_fields`. */
export function roundIn(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw refuse("round", "must be a round's number: up to 15 digits");
  return Number(text);
}

/**
 * The round, and the draw request in the query; null if there is none. With `wait_seconds`, waits for the seed. If the query
 * has a draw or a label, throws `not_yet` until the round has ended.
 */
export async function roundFor(
  beacon: Beacon,
  round: number,
  query: Query,
  wait: WaitOptions = {},
): Promise<{ found: Round; request: DrawRequest | null }> {
  const request = requestIn(query);
  const is_draw = request !== null || query.label !== undefined;
  return { found: is_draw ? await beacon.seed(round, wait) : await beacon.round(round, wait), request };
}

/** The draw request in a query; null if there is none. Throws `invalid_fields`. */
export function requestIn({ int, pick, n, shuffle }: Query): DrawRequest | null {
  const kinds = Object.entries({ int, pick, shuffle }).filter(([, sent]) => sent !== undefined);
  if (kinds.length > 1) throw refuse(kinds[1]![0], "cannot come together with another draw");
  if (n !== undefined && pick === undefined) throw refuse("n", "says how many to pick: it comes with pick");
  if (int !== undefined) return { kind: "int", ...rangeOf(int) };
  if (shuffle !== undefined) return { kind: "shuffle", items: itemsOf("shuffle", shuffle) };
  if (pick === undefined) return null;
  const items = itemsOf("pick", pick);
  const count = Number(n ?? 1);
  if (count > items.length) throw refuse("n", `must not be above the number of items, ${items.length}`);
  return { kind: "pick", items, n: count };
}

/** The value of a seed under a label, and the result of `request`. */
export function drawn(
  seed: string,
  label: string,
  request: DrawRequest | null,
): { value: Value; draw: Drawn | null } {
  const value = valueOf(seed, label);
  if (!request) return { value, draw: null };
  if (request.kind === "int") {
    return { value, draw: { ...request, ...drawInt(value.hex, request.from, request.to) } };
  }
  const count = request.kind === "pick" ? request.n : request.items.length;
  return { value, draw: { ...request, ...drawItems(value.hex, request.items, count) } };
}

function rangeOf(text: string): { from: number; to: number } {
  const [, from, to] = /^(-?\d{1,15})\.\.(-?\d{1,15})$/.exec(text) ?? [];
  if (from === undefined || to === undefined || Number(from) > Number(to)) {
    throw refuse("int", "must be two whole numbers of up to 15 digits, the smaller first, as in 1..6");
  }
  return { from: Number(from), to: Number(to) };
}

function itemsOf(path: string, text: string): string[] {
  const items = text.split(",");
  if (items.length > beacon_limits.beacon_items_max)
    throw refuse(path, `holds at most ${beacon_limits.beacon_items_max} items`);
  if (items.some((item) => item === ""))
    throw refuse(path, "must be items with one comma between, none empty");
  return items;
}

const refuse = (path: string, message: string) => invalidFields([{ path, message }]);
