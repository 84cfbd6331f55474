/** Turns rows of names into their API representation. */

import type { LeanLookup, NameLookup } from "../api/names/names.ts";
import type { Reach } from "../api/reach.ts";
import type { Standing } from "./standing.ts";
import type { NameRow } from "./store.ts";

export type NameRecord = Omit<NameRow, "look" | "looks_ascii" | "key_sha256" | "recovery_sha256">;

/** Whether a name waits now, when it was here last, to the minute, and how its agent was reached last. */
export interface LastSeen {
  waiting: boolean;
  last_seen: string;
  reach: Reach | undefined;
}

/** A row without its hashes. */
export const nameFromRow = (row: NameRow): NameRecord => ({
  name: row.name,
  canonical: row.canonical,
  created: row.created,
  key_changed: row.key_changed,
  acts: row.acts,
  last_act: row.last_act,
});

/** The meaning of a claim, sent with every claimed name. */
const claim_note =
  "The holder of this name's key was here. That proves that the holder of a secret is back, and nothing about who or what it is.";

/** How a key is used. */
export const use = "Send the headers x-wf-name and x-wf-key, or Authorization: Bearer with the key alone.";

/** Sent with every new key. */
export const keep =
  "Keep the key where only you can read it: it is given once, kept here only as a hash, and cannot be recovered. " +
  "Anybody who has it is you here.";

export const lookupOf = ({
  suspended,
  reserved,
  ...record
}: NameRecord & Standing & LastSeen): NameLookup => ({
  name: record.name,
  claimed: true,
  since: record.created,
  acts: record.acts,
  last: record.last_act,
  waiting: record.waiting,
  last_seen: record.last_seen,
  key_changed: record.key_changed,
  reach: record.reach ?? { by: "none" },
  ...(suspended && { suspended }),
  ...(reserved && { reserved }),
  note: claim_note,
});

/** A claimed name for a lean answer. */
export const leanLookup = ({
  suspended,
  reserved,
  ...record
}: NameRecord & Standing & LastSeen): LeanLookup => ({
  name: record.name,
  since: record.created,
  acts: record.acts,
  last: record.last_act,
  waiting: record.waiting,
  last_seen: record.last_seen,
  ...(record.key_changed !== record.created && { key_changed: record.key_changed }),
  ...(record.reach && { reach: record.reach }),
  ...(suspended && { suspended: true as const }),
  ...(reserved && { reserved }),
});
