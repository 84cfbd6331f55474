/** Turns lockers and slots into their API representations. */

import type { Static } from "@sinclair/typebox";
import { treat_as as treat_as_lean } from "../core/text_form.ts";
import type { Put } from "./commands.ts";
import type { Lockers } from "./locker.ts";
import {
  treat_as,
  type LeanIndex,
  type LeanLocker,
  type Locker,
  type LockerGuide,
  type LockerIndex,
  type PublicSlot,
  type Slot,
  type SlotState,
  type SlotWritten,
} from "../api/locker/locker.ts";
import type { SlotHead, SlotRow } from "./store.ts";
import { locker_limits } from "../api/limits.ts";

type Listed = Awaited<ReturnType<Lockers["list"]>>;
type Indexed = Awaited<ReturnType<Lockers["index"]>>;

const quota = {
  slots: locker_limits.slots_per_locker,
  bytes_per_slot: locker_limits.slot_bytes_max,
  bytes_total: locker_limits.locker_bytes_max,
};

const state = (row: SlotHead) => ({
  slot: row.slot,
  public: row.public === 1,
  bytes: row.bytes,
  updated: row.updated,
  version: row.version,
  ...(row.expires_at !== null && { expires_at: row.expires_at }),
});

/** The end of a slot's URL. Encodes the slashes if a part is `.` or `..`, because clients resolve those. */
export const slotPath = (slot: string): string =>
  slot.split("/").some((part) => /^\.\.?$/.test(part)) ? encodeURIComponent(slot) : slot;

/** The URL of a public slot. */
export const publicUrl = (base: string, name: string, slot: string): string =>
  `${base}/locker/${encodeURIComponent(name)}/${slotPath(slot)}`;

export const slot = (row: SlotRow): Slot => ({ ...state(row), value: row.value });

export const locker = ({ slots, ...rest }: Listed): Locker => ({
  name: rest.name,
  slots: slots.map((row): SlotState => ({ ...state(row), etag: row.etag })),
  used_bytes: rest.used_bytes,
  slots_used: rest.slots_used,
  limits: quota,
  next: rest.next,
});

export const written = (base: string, name: string, put: Put): SlotWritten => ({
  ...state(put.slot),
  slots_used: put.slots_used,
  used_bytes: put.used_bytes,
  limits: quota,
  slot_name_is_public: true,
  ...(put.slot.public === 1 && {
    public_url: publicUrl(base, name, put.slot.slot),
    warning: "The value is public: anybody can read, index and quote it until it is deleted.",
  }),
});

export const publicSlot = (row: SlotRow & { name: string }): PublicSlot => ({
  owner: row.name,
  slot: row.slot,
  value: row.value,
  updated: row.updated,
  public: true,
  treat_as,
});

export const index = (base: string, { lockers, ...rest }: Indexed): LockerIndex => ({
  lockers: lockers.map(({ name, slots }) => ({
    name,
    slots: slots.map((row) => ({
      slot: row.slot,
      public: row.public === 1,
      bytes: row.bytes,
      updated: row.updated,
      ...(row.public === 1 && { url: publicUrl(base, name, row.slot) }),
    })),
  })),
  count: rest.count,
  slots_total: rest.slots_total,
  what_this_shows: "Every name that has a locker, and the names of all its slots, private ones included.",
  what_it_does_not_show:
    "Values. A public one is at its url; a private one is read by its owner only. Private is not encrypted: whoever runs " +
    "this service can see it.",
  next: rest.next,
});

const leanState = ({ public: is_public, ...row }: ReturnType<typeof state>) => ({
  ...row,
  ...(is_public && { public: true as const }),
});

/** The caller's slot for a lean answer; without its value if that has more than `chars_max` characters. */
export const leanSlot = (row: SlotRow, chars_max = Infinity) => {
  const { bytes, ...about } = leanState(state(row));
  return row.value.length <= chars_max
    ? { ...about, value: row.value }
    : { ...about, bytes, more: 1 as const };
};

/** A public slot for a lean answer, as `leanSlot`. */
export const leanPublicSlot = (row: SlotRow & { name: string }, chars_max = Infinity) => {
  const about = { owner: row.name, slot: row.slot, updated: row.updated };
  return row.value.length <= chars_max
    ? { ...about, value: row.value, treat_as: treat_as_lean }
    : { ...about, bytes: row.bytes, more: 1 as const };
};

export const leanLocker = ({ name, slots, used_bytes, next }: Listed): LeanLocker => ({
  name,
  slots: slots.map((row) => leanState(state(row))),
  used_bytes,
  ...(next && { next_cursor: next }),
});

export const leanIndex = ({ lockers, next }: Indexed): LeanIndex => ({
  lockers: lockers.map(({ name, slots }) => ({
    name,
    slots: slots.map((row) => ({
      slot: row.slot,
      bytes: row.bytes,
      ...(row.public === 1 && { public: true as const }),
    })),
  })),
  ...(next && { next_cursor: next }),
  treat_as: treat_as_lean,
});

/** The description of lockers for callers without a credential. */
export const aboutLockers = (base: string): Static<typeof LockerGuide> => ({
  what:
    "A small text store that outlives a session. A claimed name and its key open it. Slots are private unless they are " +
    "made public; the names of slots are listed for everybody.",
  name: `Claim one first: POST ${base}/api/name`,
  list: `GET ${base}/api/locker with the headers x-wf-name and x-wf-key`,
  read: `GET ${base}/api/locker/{slot}`,
  write: `PUT ${base}/api/locker/{slot} with JSON {"value": "…", "public": false}`,
  delete: `DELETE ${base}/api/locker/{slot}`,
  index: `GET ${base}/api/locker/index`,
  private:
    "Private means that other callers cannot read the value. It is not encrypted: whoever runs this service can.",
  limits: quota,
});
