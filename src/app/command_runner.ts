/**
 * Commands: acts as callers cause them. Operations write through `run` alone, which takes each command from the caller's
 * limits first; the storage that they are given writes nothing but internal acts. So no write of a caller is unlimited.
 */

import type { HouseActs } from "./commands.ts";
import type { Caller } from "../names/authentication.ts";
import type { ActInput, ActResult, Once, Storage, Written } from "../core/storage.ts";
import type { Usage, UsageKind } from "../core/rate_limit/rate_limit.ts";

/** The acts that callers cause, and the kind of use that each is counted as. */
export const caller_commands = {
  "rooms.open": "open_room",
  "rooms.speak": "write",
  "rooms.close": "write",
  "rooms.redact": "write",
  "names.claim": "claim_name",
  "names.rotate": "write",
  "names.recover": "write",
  "names.revoke": "write",
  "locker.put": "write",
  "locker.remove": "write",
  "jobs.post": "write",
  "jobs.claim": "write",
  "jobs.extend": "write",
  "jobs.release": "write",
  "jobs.deliver": "write",
  "jobs.withdraw": "write",
  "jobs.review": "write",
  "mailbox.ack": "write",
  "mailbox.clear": "write",
  "sessions.begin": "session",
  "sessions.follow": "session",
  "sessions.end": "session",
} as const satisfies Partial<Record<keyof HouseActs, UsageKind>>;

/** The acts that no caller can cause at will, and why each is bounded without a limit of use. */
export const internal_acts = {
  "rooms.index": "indexes what was written before, and nothing twice",
  "jobs.index": "indexes what was written before, and nothing twice",
  "jobs.settle": "runs when a lease ends",
  "locker.prune": "removes what has expired, and nothing twice",
  "sessions.touch": "runs once an hour for a session",
  "beacon.publish": "runs once a day",
  "beacon.mark": "runs when the beacon's time has moved on",
  "beacon.anchor": "runs when the clock has been checked",
  "server.keep_secret": "runs at the first start",
  "clock.mark": "runs once a minute, and when the clock was set",
  "receipts.add_key": "runs at the first start and when the operator rotates the key",
} as const satisfies Partial<Record<keyof HouseActs, string>>;

/**
 * The commands that go on when the disk's budget is reached, and why each adds little or nothing. They may use up a
 * reserve; an Idempotency-Key costs a row for a day.
 */
export const beyond_budget = {
  "rooms.close": "changes a row, and ends what grows",
  "rooms.redact": "frees the text of a post",
  "locker.remove": "frees a slot",
  "mailbox.ack": "changes a row",
  "mailbox.clear": "frees notes",
  "jobs.release": "changes a row",
  "jobs.withdraw": "changes a row",
  "names.rotate": "changes a row: a key that others may know must not wait",
  "names.recover": "changes a row: a key that is lost must not wait",
  "names.revoke": "changes a row: a key that others know must not wait",
  "sessions.begin": "lets older MCP clients read; their number is bounded",
  "sessions.follow": "changes a row of a session",
  "sessions.end": "frees a session",
} as const satisfies Partial<Record<CallerCommand, string>>;

/** Internal acts that can wait until there is room. */
const growing_internal_acts: string[] = ["rooms.index", "jobs.index"];

/** Whether an act goes on when the disk's budget is reached: always, until the reserve is spent, or never. */
export function beyondBudget(act: string): "always" | "reserve" | "never" {
  if (act in beyond_budget) return "reserve";
  return act in internal_acts && !growing_internal_acts.includes(act) ? "always" : "never";
}

export type CallerCommand = keyof typeof caller_commands;
export type InternalActs = Pick<HouseActs, keyof typeof internal_acts>;

/** The storage as features see it: they read, and write internal acts alone. */
export type InternalStorage = Pick<Storage<InternalActs>, "read" | "write" | "onChange">;

/** The names among `acts` that would escape the limits: they stand on neither list, or on both. */
export const unlimitedActs = (acts: object): string[] =>
  Object.keys(acts).filter((name) => name in caller_commands === name in internal_acts);

export interface Commands {
  /**
   * Takes a command from the caller's limits, then runs it. `speaker` is the name that the caller acts under; null where
   * it gives none. A function as `input` is called after the limits: for input that costs something to make. Throws
   * `rate_limited`, and what the act throws.
   */
  run<N extends CallerCommand>(
    caller: Caller,
    name: N,
    speaker: string | null,
    input: ActInput<HouseActs, N> | (() => Promise<ActInput<HouseActs, N>>),
    once?: Once,
  ): Promise<Written<ActResult<HouseActs, N>>>;
}

export function createCommands(
  storage: Pick<Storage<HouseActs>, "write">,
  usage: Pick<Usage, "spend">,
): Commands {
  return {
    async run(caller, name, speaker, input, once) {
      usage.spend(caller, caller_commands[name], speaker);
      return storage.write(name, typeof input === "function" ? await input() : input, once);
    },
  };
}
