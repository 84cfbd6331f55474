/** SQL of bans. Times are service time. */

import type { Tx } from "../core/storage.ts";
import { countRows, upsertOf } from "../storage/rows.ts";

export interface BanRow {
  /** A CIDR block in its canonical form. */
  network: string;
  /** Null: without end. */
  until: string | null;
  reason: string;
  created: string;
}

/** All bans that have not expired. */
export const allBans = (tx: Tx, now: string) =>
  tx.all<BanRow>("SELECT * FROM bans WHERE until IS NULL OR until > $1", now);

/** The earliest `limit` bans after the network `after`, in the order of their text, that have not expired. */
export const bansAfter = (tx: Tx, after: string, now: string, limit: number) =>
  tx.all<BanRow>(
    "SELECT * FROM bans WHERE network > $1 AND (until IS NULL OR until > $2) ORDER BY network LIMIT $3",
    after,
    now,
    limit,
  );

export const findBan = (tx: Tx, network: string) =>
  tx.get<BanRow>("SELECT * FROM bans WHERE network = $1", network);

export const countBans = (tx: Tx) => countRows(tx, "FROM bans");

/** Inserts a ban, or replaces the ban of the same network. */
export const putBan = (tx: Tx, ban: BanRow) => tx.run(...upsertOf("bans", ban, "network"));

/** Deletes a ban. Returns 0 if there is none. */
export const deleteBan = (tx: Tx, network: string) => tx.run("DELETE FROM bans WHERE network = $1", network);

export const deleteExpired = (tx: Tx, now: string) =>
  tx.run("DELETE FROM bans WHERE until IS NOT NULL AND until <= $1", now);
