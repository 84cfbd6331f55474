/** Delays 429 answers to callers who ignore many of them, so that each connection of a flood sends one call a second. */

import type { Clock } from "../core/clock.ts";
import { web_limits } from "./limits.ts";

/** Resolves when the answer to a refused request from `address` may be sent. */
export type DelayRefusal = (address: string) => Promise<void>;

/** `isPersistent` counts a refused request, and returns whether its address has had too many. */
export function createRefusalDelay(isPersistent: (address: string) => boolean, clock: Clock): DelayRefusal {
  let delayed = 0;
  return async (address) => {
    if (!isPersistent(address) || delayed >= web_limits.delayed_refusals_max) return;
    delayed++;
    await new Promise<void>((resolve) => clock.after(web_limits.refusal_delay_seconds * 1000, resolve));
    delayed--;
  };
}
