/** The SQL of lockers, nothing else. A slot that has expired is not there, whether or not its row still is; `now` is steady time. */

import { readCounter } from "../storage/counters.ts";
import type { Tx } from "../core/storage.ts";

export interface SlotRow {
  owner: string;
  slot: string;
  value: string;
  bytes: number;
  public: number;
  version: number;
  etag: string;
  updated: string;
  /** Steady time. */
  expires_at: string | null;
}
export type SlotHead = Omit<SlotRow, "value">;

const live = (now: string) => `(expires_at IS NULL OR expires_at > ${now})`;
const head = "owner, slot, bytes, public, version, etag, updated, expires_at";

export const findSlot = (tx: Tx, owner: string, slot: string, now: string) =>
  tx.get<SlotRow>(`SELECT * FROM slots WHERE owner = $1 AND slot = $2 AND ${live("$3")}`, owner, slot, now);

/** A public slot, with its owner's name as it was claimed. */
export const findPublicSlot = (tx: Tx, owner: string, slot: string, now: string) =>
  tx.get<SlotRow & { name: string }>(
    "SELECT slots.*, names.name FROM slots JOIN names ON names.canonical = slots.owner " +
      `WHERE owner = $1 AND slot = $2 AND public = 1 AND ${live("$3")}`,
    owner,
    slot,
    now,
  );

/** The slots of one name, without values, in the order of their names: `limit` of them after `after`. */
export const slotsOf = (tx: Tx, owner: string, now: string, after: string, limit: number) =>
  tx.all<SlotHead>(
    `SELECT ${head} FROM slots WHERE owner = $1 AND ${live("$2")} AND slot > $3 ORDER BY slot LIMIT $4`,
    owner,
    now,
    after,
    limit,
  );

/** What a name uses of its locker. */
export const usedBy = async (tx: Tx, owner: string, now: string) =>
  (await tx.get<{ slots_used: number; used_bytes: number }>(
    `SELECT COUNT(*) AS slots_used, COALESCE(SUM(bytes), 0) AS used_bytes FROM slots WHERE owner = $1 AND ${live("$2")}`,
    owner,
    now,
  ))!;

/** Writes a slot, over one that is there. */
export const putSlot = (tx: Tx, row: SlotRow) =>
  tx.run(
    "INSERT INTO slots (owner, slot, value, bytes, public, version, etag, updated, expires_at) " +
      "VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (owner, slot) DO UPDATE SET value = excluded.value, " +
      "bytes = excluded.bytes, public = excluded.public, version = excluded.version, etag = excluded.etag, " +
      "updated = excluded.updated, expires_at = excluded.expires_at",
    row.owner,
    row.slot,
    row.value,
    row.bytes,
    row.public,
    row.version,
    row.etag,
    row.updated,
    row.expires_at,
  );

/** Takes a slot away; undefined when it was not there. */
export const removeSlot = (tx: Tx, owner: string, slot: string, now: string) =>
  tx.get<{ slot: string }>(
    `DELETE FROM slots WHERE owner = $1 AND slot = $2 AND ${live("$3")} RETURNING slot`,
    owner,
    slot,
    now,
  );

/** Takes away what has expired of one name's locker. */
export const dropExpired = (tx: Tx, owner: string, now: string) =>
  tx.run("DELETE FROM slots WHERE owner = $1 AND expires_at IS NOT NULL AND expires_at <= $2", owner, now);

/** When the next slot expires, or the first has expired of those that are still there. */
export const nextExpiry = async (tx: Tx): Promise<string | null> =>
  (
    await tx.get<{ expires_at: string }>(
      "SELECT expires_at FROM slots WHERE expires_at IS NOT NULL ORDER BY expires_at LIMIT 1",
    )
  )?.expires_at ?? null;

/** At most `limit` slots that have expired by `now`. */
export const expiredSlots = (tx: Tx, now: string, limit: number) =>
  tx.all<{ owner: string; slot: string }>(
    "SELECT owner, slot FROM slots WHERE expires_at IS NOT NULL AND expires_at <= $1 ORDER BY expires_at LIMIT $2",
    now,
    limit,
  );

export const dropSlot = (tx: Tx, owner: string, slot: string) =>
  tx.run("DELETE FROM slots WHERE owner = $1 AND slot = $2", owner, slot);

/** How many slots a name has, those that have expired included. */
export const countSlots = async (tx: Tx, owner: string): Promise<number> =>
  (await tx.get<{ count: number }>("SELECT COUNT(*) AS count FROM slots WHERE owner = $1", owner))!.count;

/** A slot in the index, and the name of its owner as it was claimed. */
export type IndexedSlot = SlotHead & { name: string };

/** The slots of all lockers by the names of their owners, then by their own: `limit` of them after this one. */
export const slotsAfter = (tx: Tx, after: { owner: string; slot: string }, now: string, limit: number) =>
  tx.all<IndexedSlot>(
    `SELECT ${head}, names.name FROM slots JOIN names ON names.canonical = slots.owner ` +
      `WHERE (owner, slot) > ($1, $2) AND ${live("$3")} ORDER BY owner, slot LIMIT $4`,
    after.owner,
    after.slot,
    now,
    limit,
  );

/** How many names have a locker, and how many slots there are. */
export const totals = async (tx: Tx): Promise<{ count: number; slots_total: number }> => ({
  count: await readCounter(tx, "lockers"),
  slots_total: await readCounter(tx, "slots"),
});
