/** The SQL of lockers, nothing else. A slot that has expired is not there, whether or not its row still is; `now` is steady time. */

import type { Tx } from "../storage/port.ts";

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

/** The names that have a locker, in order: `limit` of them after `after`. */
export const owners = (tx: Tx, now: string, after: string, limit: number) =>
  tx.all<{ owner: string; name: string }>(
    "SELECT DISTINCT slots.owner, names.name FROM slots JOIN names ON names.canonical = slots.owner " +
      `WHERE slots.owner > $1 AND ${live("$2")} ORDER BY slots.owner LIMIT $3`,
    after,
    now,
    limit,
  );

/** How many names have a locker, and how many slots there are. */
export const totals = async (tx: Tx, now: string) =>
  (await tx.get<{ count: number; slots_total: number }>(
    `SELECT COUNT(DISTINCT owner) AS count, COUNT(*) AS slots_total FROM slots WHERE ${live("$1")}`,
    now,
  ))!;
