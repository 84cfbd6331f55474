/** Reads the round of a draw or of a toss, and draws. */

import { invalidFields } from "../core/errors.ts";
import { beacon_internal_limits } from "./limits.ts";
import { roundIn, tossFrom, tossIn, type Proposal, type Toss } from "./words.ts";
import type { Beacon, Round } from "./beacon.ts";
import { drawInt, drawItems, type Step } from "./draws.ts";
import { valueOf, type Value } from "./derivation.ts";
import type { WaitOptions } from "../core/waits.ts";
import type { DrawRequest } from "../api/beacon/pages.ts";

type Drawn =
  | (Extract<DrawRequest, { kind: "int" }> & { result: number; steps: Step[] })
  | (Exclude<DrawRequest, { kind: "int" }> & { result: string[]; steps: Step[] });

/**
 * The round for a draw, if there is one, under a label. With `wait_seconds`, waits for the seed. With a draw or a label, throws `not_yet`
 * until the round has ended.
 */
export function roundFor(
  beacon: Beacon,
  round: number,
  request: DrawRequest | null,
  label: string | undefined,
  wait: WaitOptions = {},
): Promise<Round> {
  const is_draw = request !== null || label !== undefined;
  return is_draw ? beacon.seed(round, wait) : beacon.round(round, wait);
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

/** The toss that a caller sends: its line, or a proposal, for which a round is chosen that leaves time to agree. */
export async function proposedToss(
  { now }: Pick<Beacon, "now">,
  { toss, round, ...proposal }: Proposal & { toss?: string | undefined; round?: string | number | undefined },
): Promise<Toss> {
  if (toss === undefined) {
    const chosen = round ?? (await now()).round + beacon_internal_limits.rounds_to_agree;
    return tossFrom(roundIn(String(chosen)), proposal);
  }
  if (round !== undefined || Object.values(proposal).some((sent) => sent !== undefined))
    throw invalidFields([
      { path: "toss", message: "says all of it: send it without round, label, heads, tails and draws" },
    ]);
  return tossIn(toss);
}
