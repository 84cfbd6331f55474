/** SQL of lockers. Queries ignore expired slots, even if their rows are still stored. `now` is steady time. */

import { countersOf } from "../storage/counters.ts";
import type { Tx } from "../core/storage.ts";
import { countRows, upsertOf } from "../storage/rows.ts";

export const counters = countersOf<"lockers" | "slots">();

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

/** Whether a slot is public, its size and its latest change, also of one that has expired; undefined if none is stored. */
export const stateOf = (tx: Tx, owner: string, slot: string) =>
  tx.get<Pick<SlotRow, "public" | "bytes" | "updated">>(
    "SELECT public, bytes, updated FROM slots WHERE owner = $1 AND slot = $2",
    owner,
    slot,
  );

/** Whether a name has a private slot, also one that has expired. */
export const hasPrivateSlot = async (tx: Tx, owner: string): Promise<boolean> =>
  (await tx.get("SELECT 1 FROM slots WHERE owner = $1 AND public = 0 LIMIT 1", owner)) !== undefined;

/** A public slot with its owner's name in the claimed spelling. */
export const findPublicSlot = (tx: Tx, owner: string, slot: string, now: string) =>
  tx.get<SlotRow & { name: string }>(
    "SELECT slots.*, names.name FROM slots JOIN names ON names.canonical = slots.owner " +
      `WHERE owner = $1 AND slot = $2 AND public = 1 AND ${live("$3")}`,
    owner,
    slot,
    now,
  );

/** Slots of one name without values, ordered by slot name: at most `limit` of them after `after`. */
export const slotsOf = (tx: Tx, owner: string, now: string, after: string, limit: number) =>
  tx.all<SlotHead>(
    `SELECT ${head} FROM slots WHERE owner = $1 AND ${live("$2")} AND slot > $3 ORDER BY slot LIMIT $4`,
    owner,
    now,
    after,
    limit,
  );

/** The same with values. */
export const wholeSlotsOf = (tx: Tx, owner: string, now: string, after: string, limit: number) =>
  tx.all<SlotRow>(
    `SELECT * FROM slots WHERE owner = $1 AND ${live("$2")} AND slot > $3 ORDER BY slot LIMIT $4`,
    owner,
    now,
    after,
    limit,
  );

/** The number of slots of a name and the bytes in them. */
export const usedBy = async (tx: Tx, owner: string, now: string) =>
  (await tx.get<{ slots_used: number; used_bytes: number }>(
    `SELECT COUNT(*) AS slots_used, COALESCE(SUM(bytes), 0) AS used_bytes FROM slots WHERE owner = $1 AND ${live("$2")}`,
    owner,
    now,
  ))!;

/** Inserts or replaces a slot. */
export const putSlot = (tx: Tx, row: SlotRow) => tx.run(...upsertOf("slots", row, "owner", "slot"));

/** Deletes a slot that has not expired; undefined if there is none. */
export const removeSlot = (tx: Tx, owner: string, slot: string, now: string) =>
  tx.get<{ slot: string }>(
    `DELETE FROM slots WHERE owner = $1 AND slot = $2 AND ${live("$3")} RETURNING slot`,
    owner,
    slot,
    now,
  );

/** Deletes the expired slots of a name. Returns their number. */
export const dropExpired = (tx: Tx, owner: string, now: string) =>
  tx.run("DELETE FROM slots WHERE owner = $1 AND expires_at IS NOT NULL AND expires_at <= $2", owner, now);

/** The earliest expiry of a stored slot, which may be in the past; null if no slot expires. */
export const nextExpiry = async (tx: Tx): Promise<string | null> =>
  (
    await tx.get<{ expires_at: string }>(
      "SELECT expires_at FROM slots WHERE expires_at IS NOT NULL ORDER BY expires_at LIMIT 1",
    )
  )?.expires_at ?? null;

/** At most `limit` expired slots, the earliest first. */
export const expiredSlots = (tx: Tx, now: string, limit: number) =>
  tx.all<{ owner: string; slot: string }>(
    "SELECT owner, slot FROM slots WHERE expires_at IS NOT NULL AND expires_at <= $1 ORDER BY expires_at LIMIT $2",
    now,
    limit,
  );

/** Deletes a slot. Returns how many it deleted: none if another transaction was first. */
export const dropSlot = (tx: Tx, owner: string, slot: string) =>
  tx.run("DELETE FROM slots WHERE owner = $1 AND slot = $2", owner, slot);

/** The number of stored slots of a name, expired ones included. */
export const countSlots = (tx: Tx, owner: string) => countRows(tx, "FROM slots WHERE owner = $1", owner);

/** A slot in the index with its owner's name in the claimed spelling. */
type IndexedSlot = SlotHead & { name: string };

/** Slots of all lockers, ordered by owner and slot name: at most `limit` of them after `after`. */
export const slotsAfter = (tx: Tx, after: { owner: string; slot: string }, now: string, limit: number) =>
  tx.all<IndexedSlot>(
    `SELECT ${head}, names.name FROM slots JOIN names ON names.canonical = slots.owner ` +
      `WHERE (owner, slot) > ($1, $2) AND ${live("$3")} ORDER BY owner, slot LIMIT $4`,
    after.owner,
    after.slot,
    now,
    limit,
  );

/** The number of lockers and of slots, from the counters. */
export const totals = async (tx: Tx): Promise<{ count: number; slots_total: number }> => ({
  count: await counters.read(tx, "lockers"),
  slots_total: await counters.read(tx, "slots"),
});

/** Deletes all slots of a name. Returns their number. */
export const deleteLocker = (tx: Tx, owner: string) => tx.run("DELETE FROM slots WHERE owner = $1", owner);
