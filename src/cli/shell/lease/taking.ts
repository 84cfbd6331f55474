/** Takes a lease, and waits in line for it over many calls. */

import { orThrow, type Schemas } from "../../../client/client.ts";
import { wholeNumber } from "../arguments.ts";
import { systemClock } from "../../../core/clock.ts";
import { inKnownRoom, isPrivateRoom } from "../known_room.ts";
import type { ShellContext } from "../shell_command.ts";
import { call_wait_seconds_max } from "../waiting.ts";
import { lease_limits } from "../../../api/limits.ts";
import type { Command } from "commander";

/** How much longer than its wait a call may take. */
const answer_ms_max = 10_000;
/** A service that is about to stop answers a wait at once. */
const pause_ms = 1_000;

export interface TakeOptions {
  ttl: number;
  purpose?: string;
  wait: number;
}

/** Adds the options of a command that takes a lease. */
export const withTakeOptions = (command: Command): Command =>
  command
    .option("--ttl <seconds>", "how long it is held", wholeNumber, lease_limits.lease_seconds_default)
    .option("--purpose <text>", "what for, for others to read")
    .option("--wait <seconds>", "wait in line for so long if it is held", wholeNumber, 0);

/**
 * Takes all paths or none. Throws the problem `lease_held` if that is not possible in `wait` seconds, and the reason of `signal`. A wait
 * that is longer than one call of the service allows is continued by further calls, which keep the place in line.
 */
export async function takeLease(
  { client, patient }: ShellContext,
  room: string,
  paths: string[],
  { ttl: ttl_seconds, purpose, wait }: TakeOptions,
  signal = new AbortController().signal,
): Promise<Schemas["TakenLease"]> {
  const wanted = { paths, ttl_seconds, ...(purpose !== undefined && { purpose }) };
  const caller = wait > 0 ? patient : client;
  const end = systemClock.monotonic() + wait * 1000;
  // In a private room the first call does not wait: its answer shows that the name is a member, and a later refusal that it was removed.
  for (let is_first = true; ; is_first = false) {
    const sent_at = systemClock.monotonic();
    const left_seconds = Math.max(0, Math.ceil((end - sent_at) / 1000));
    const waits = !is_first || !isPrivateRoom(room);
    const wait_seconds = waits ? Math.min(left_seconds, call_wait_seconds_max) : 0;
    const call = caller.post("/api/meet/rooms/{room}/leases", {
      path: { room },
      body: { ...wanted, ...(wait_seconds > 0 && { wait_seconds }) },
      signal: AbortSignal.any([signal, AbortSignal.timeout(left_seconds * 1000 + answer_ms_max)]),
    });
    const { error } = await call;
    if (error?.code !== "lease_held" || systemClock.monotonic() >= end)
      return is_first ? orThrow(call) : inKnownRoom(() => orThrow(call));
    if (waits && systemClock.monotonic() - sent_at < pause_ms) await Bun.sleep(pause_ms);
    signal.throwIfAborted();
  }
}
