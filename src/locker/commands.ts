/** The write commands of lockers. Quotas are checked in the transaction of the write, so concurrent writes cannot exceed them. */

import { locker_errors } from "./errors.ts";
import { isoTime, shownTime, steadyTime, type Moment } from "../core/clock.ts";
import { ServiceError } from "../core/errors.ts";
import type { Identity } from "../core/caller.ts";
import type { Tx } from "../core/storage.ts";
import * as store from "./store.ts";
import { locker_limits } from "../api/limits.ts";
import { locker_internal_limits } from "./limits.ts";

/** Conditions on the slot. A write is refused unless all of them hold. */
export interface Precondition {
  /** The slot must have one of these ETags; `*`: any. */
  if_match?: string[];
  /** The slot must not exist. */
  must_be_new?: boolean;
  expected_version?: number;
}

export interface PutInput extends Moment {
  identity: Identity;
  slot: string;
  value: string;
  public: boolean;
  /** The new ETag of the slot. */
  etag: string;
  expires_in_seconds: number | null;
  precondition: Precondition;
}

interface RemoveInput extends Moment {
  identity: Identity;
  slot: string;
  precondition: Precondition;
}

export interface Put {
  slot: store.SlotHead;
  created: boolean;
  slots_used: number;
  used_bytes: number;
}

/** Creates or replaces a slot. A refused write changes nothing. */
export async function putSlot(tx: Tx, input: PutInput): Promise<Put> {
  const [at, now] = [isoTime(input.now_ms), steadyTime(input)];
  const owner = input.identity.canonical;
  const dropped = await store.dropExpired(tx, owner, now);
  const found = await store.findSlot(tx, owner, input.slot, now);
  checkPrecondition(found, input.precondition);

  const { value, ...head } = {
    owner,
    slot: input.slot,
    value: input.value,
    bytes: Buffer.byteLength(input.value),
    public: input.public ? 1 : 0,
    version: (found?.version ?? 0) + 1,
    etag: input.etag,
    updated: at,
  };
  const expires_at = input.expires_in_seconds === null ? null : expiry(input, input.expires_in_seconds);
  const used = await store.usedBy(tx, owner, now);
  const slots_used = used.slots_used + (found ? 0 : 1);
  const used_bytes = used.used_bytes - (found?.bytes ?? 0) + head.bytes;
  checkQuota(head.bytes, slots_used, used_bytes);
  await store.putSlot(tx, { ...head, value, expires_at });
  await countChange(tx, used.slots_used + dropped, slots_used);
  const shown = expires_at && shownTime(expires_at, input.ahead_ms);
  return { slot: { ...head, expires_at: shown }, created: !found, slots_used, used_bytes };
}

/** The steady time at which a slot written now expires. */
const expiry = ({ now_ms, ahead_ms }: Moment, seconds: number): string =>
  steadyTime({ now_ms: now_ms + seconds * 1000, ahead_ms });

/** Deletes a slot. Throws `slot_not_found` if it does not exist. */
export async function removeSlot(tx: Tx, input: RemoveInput): Promise<{ slot: string }> {
  const now = steadyTime(input);
  const owner = input.identity.canonical;
  const found = await store.findSlot(tx, owner, input.slot, now);
  if (!found) throw slotNotFound();
  checkPrecondition(found, input.precondition);
  await store.removeSlot(tx, owner, input.slot, now);
  const left = await store.countSlots(tx, owner);
  await countChange(tx, left + 1, left);
  return { slot: input.slot };
}

/** Deletes expired slots, at most `slots_pruned_per_command` of them. Returns whether there may be more. */
export async function pruneSlots(tx: Tx, moment: Moment): Promise<{ more: boolean }> {
  const expired = await store.expiredSlots(
    tx,
    steadyTime(moment),
    locker_internal_limits.slots_pruned_per_command,
  );
  for (const { owner, slot } of expired) {
    // Another prune may have deleted it since it was read.
    if ((await store.dropSlot(tx, owner, slot)) === 0) continue;
    const left = await store.countSlots(tx, owner);
    await countChange(tx, left + 1, left);
  }
  return { more: expired.length === locker_internal_limits.slots_pruned_per_command };
}

/** Updates the counters after a name's number of slots has changed. */
export async function countChange(tx: Tx, before: number, after: number): Promise<void> {
  if (before !== after) await store.counters.add(tx, "slots", after - before);
  const lockers = Number(after > 0) - Number(before > 0);
  if (lockers !== 0) await store.counters.add(tx, "lockers", lockers);
}

export const slotNotFound = (): ServiceError =>
  new ServiceError(locker_errors.slot_not_found, "There is no such slot to be read.");

function checkQuota(bytes: number, slots_used: number, used_bytes: number): void {
  const { slots_per_locker, slot_bytes_max, locker_bytes_max } = locker_limits;
  if (bytes > slot_bytes_max) {
    throw new ServiceError(
      locker_errors.slot_too_large,
      `The value has ${bytes} bytes; at most ${slot_bytes_max} fit in a slot.`,
    );
  }
  if (slots_used > slots_per_locker) {
    throw new ServiceError(
      locker_errors.locker_slots_full,
      `All ${slots_per_locker} slots of this locker are in use.`,
    );
  }
  if (used_bytes > locker_bytes_max) {
    throw new ServiceError(
      locker_errors.locker_full,
      `The locker would hold ${used_bytes} bytes; at most ${locker_bytes_max} fit in it.`,
    );
  }
}

function checkPrecondition(found: store.SlotRow | undefined, wanted: Precondition): void {
  const { if_match, must_be_new, expected_version } = wanted;
  const holds =
    (!if_match || (found !== undefined && (if_match.includes("*") || if_match.includes(found.etag)))) &&
    (!must_be_new || found === undefined) &&
    (expected_version === undefined || expected_version === (found?.version ?? 0));
  if (holds) return;
  throw new ServiceError(
    locker_errors.precondition_failed,
    "The slot is not in the state that you named: nothing was written.",
    {
      members: { version: found?.version ?? 0 },
    },
  );
}
