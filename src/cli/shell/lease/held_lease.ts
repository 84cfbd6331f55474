/** Holds a lease while something else happens: extends it in time, and notices when it is lost. */

import { orThrow, WharfProblem, type Schemas } from "../../../client/client.ts";
import { systemClock } from "../../../core/clock.ts";
import { messageOf } from "../../../core/log.ts";
import type { ShellContext } from "../shell_command.ts";

/** How long before the end of a lease its command is ended, if it cannot be extended, and how long the command has to end. */
export const ending_ms = 5_000;
/** After how long an attempt to extend a lease is given up. */
const attempt_ms_max = 10_000;
const retry_ms = 2_000;
/** After how long the attempt to release it is given up. */
const release_ms_max = 3_000;

interface Lease {
  room: string;
  fence: number;
  ttl_seconds: number;
  /** When it was requested, by `uptime`. */
  sent_at: number;
}

/** The time by which a lease is measured: a machine that sleeps holds it no longer. */
export const uptime = (): number => systemClock.uptime().ms;

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof WharfProblem && error.problem.code === code;
/** Why a lease is lost; null if this error does not say that it is. */
function lossIn(error: unknown): string | null {
  if (hasCode(error, "lease_lost"))
    return "the lease is lost: its time was up, or the host of the room has ended it.";
  if (hasCode(error, "room_not_found"))
    return "the lease is lost: you are no longer a member of the room, or it was deleted.";
  return null;
}

/**
 * Extends a lease after each third of its time. Resolves with the reason when it is lost, or about to end because it cannot be extended;
 * with null when `signal` aborts.
 */
export async function keepLease(
  { client }: ShellContext,
  { room, fence, ttl_seconds, sent_at }: Lease,
  signal: AbortSignal,
): Promise<string | null> {
  const ttl_ms = ttl_seconds * 1000;
  let last = sent_at + ttl_ms - ending_ms;
  let next = sent_at + ttl_ms / 3;
  let reason = "";
  for (;;) {
    await pause(Math.min(next, last) - uptime(), signal);
    if (signal.aborted) return null;
    const now = uptime();
    if (now >= last) return `the lease cannot be extended before it ends: ${reason}`;
    try {
      const call = { path: { room }, body: { fence, ttl_seconds } };
      const timeout = AbortSignal.timeout(Math.min(attempt_ms_max, last - now));
      await orThrow(
        client.post("/api/meet/rooms/{room}/leases/extend", {
          ...call,
          signal: AbortSignal.any([signal, timeout]),
        }),
      );
      last = now + ttl_ms - ending_ms;
      next = now + ttl_ms / 3;
    } catch (error) {
      if (signal.aborted) return null;
      const loss = lossIn(error);
      if (loss !== null) return loss;
      reason = messageOf(error);
      next = uptime() + retry_ms;
    }
  }
}

/** Releases a lease. Resolves with false if it was lost before. Throws if that is unknown. */
export async function releaseLease(
  { client }: ShellContext,
  room: string,
  { fence }: Pick<Schemas["TakenLease"], "fence">,
): Promise<boolean> {
  const signal = AbortSignal.timeout(release_ms_max);
  try {
    await orThrow(
      client.post("/api/meet/rooms/{room}/leases/release", { path: { room }, body: { fence }, signal }),
    );
    return true;
  } catch (error) {
    if (lossIn(error) !== null) return false;
    throw error;
  }
}

/** Resolves after some time, or when `signal` aborts. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const cancel = systemClock.after(ms, resolve);
    signal.addEventListener("abort", () => (cancel(), resolve()), { once: true });
  });
}
