/** The write commands of the beacon: publish a day, advance its time, store an anchor. */

import { isoTime } from "../core/clock.ts";
import { sha256Hex } from "../core/secrets.ts";
import type { Tx } from "../core/storage.ts";
import { day_ms, dayAt, dayStarts } from "./rounds.ts";
import * as store from "./store.ts";
import { beacon_internal_limits } from "./limits.ts";

export type Gap = store.GapRow;

export interface PublishInput {
  day: store.DayRow;
  /** The day's secret if it is new; else null. */
  new_secret: store.SecretRow | null;
}

/**
 * Publishes a day as the next link of the chain. Does nothing if the day is not later than the latest published day or the
 * latest day that is not issued, or if its `prev` is not the hash of the latest statement.
 */
export async function publishDay(tx: Tx, { day, new_secret }: PublishInput): Promise<{ published: boolean }> {
  const latest = await store.latestDay(tx);
  const prev = latest ? sha256Hex(latest.statement) : null;
  const gaps = await store.allGaps(tx);
  if (gaps.some(({ last }) => day.day <= last)) return { published: false };
  if (prev !== day.prev || (latest && latest.day >= day.day)) return { published: false };
  if (new_secret) await store.insertSecret(tx, new_secret);
  await store.insertDay(tx, day);
  tx.announce("beacon");
  return { published: true };
}

/**
 * Leaves to the original of this copy the days that it may have published or can publish today, and keeps `secret` for later
 * ones. Returns these days; null if all of them are published here, too.
 */
export async function leaveDays(
  tx: Tx,
  { secret, now_ms }: { secret: store.SecretRow; now_ms: number },
): Promise<Gap | null> {
  const [latest, mark, latest_secret] = [
    await store.latestDay(tx),
    await store.findMark(tx),
    await store.latestSecret(tx),
  ];
  // The mark is later if the clock was set back.
  const at_ms = Math.max(now_ms, mark ? Date.parse(mark.mark) : 0);
  const created_ms = Math.max(now_ms, latest_secret ? Date.parse(latest_secret.created) + 1 : 0);
  await store.insertSecret(tx, { ...secret, created: isoTime(created_ms) });
  const first = dayAt(latest ? dayStarts(latest.day) + day_ms : at_ms);
  const last = dayAt(at_ms + beacon_internal_limits.beacon_days_ahead * day_ms);
  if (first > last) return null;
  await store.putGap(tx, { first, last });
  return { first, last };
}

/** Advances the beacon's time to `mark`, never back. Returns the stored time. */
export async function moveMark(tx: Tx, { mark }: { mark: string }): Promise<{ mark: string }> {
  const moved = await store.moveMark(tx, mark);
  tx.announce("beacon");
  return moved;
}

/** Stores the anchor of this boot of the machine. */
export async function storeAnchor(tx: Tx, anchor: store.AnchorRow): Promise<null> {
  await store.putAnchor(tx, anchor);
  return null;
}
