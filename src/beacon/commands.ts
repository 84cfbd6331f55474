/** The acts of the beacon: publishing a day, moving its time on, taking a moment as right. */

import { sha256Hex } from "../core/secrets.ts";
import type { Tx } from "../core/storage.ts";
import * as store from "./store.ts";

export interface PublishInput {
  day: store.DayRow;
  /** The day's secret, where it is a new one. */
  new_secret: store.SecretRow | null;
}

/**
 * Publishes a day, as the next link of the chain. What has been published is never published again: a day that is not
 * later than the latest one, or that follows another than the latest, is left alone.
 */
export async function publishDay(tx: Tx, { day, new_secret }: PublishInput): Promise<{ published: boolean }> {
  const latest = await store.latestDay(tx);
  const prev = latest ? sha256Hex(latest.statement) : null;
  if (prev !== day.prev || (latest && latest.day >= day.day)) return { published: false };
  if (new_secret) await store.insertSecret(tx, new_secret);
  await store.insertDay(tx, day);
  tx.announce("beacon");
  return { published: true };
}

/** Moves the beacon's time on to `mark`, never back. Answers where it is. */
export async function moveMark(tx: Tx, { mark }: { mark: string }): Promise<{ mark: string }> {
  const moved = await store.moveMark(tx, mark);
  tx.announce("beacon");
  return moved;
}

/** Takes the wall time of a moment as right, for this run of the machine. */
export async function takeAnchor(tx: Tx, anchor: store.AnchorRow): Promise<null> {
  await store.putAnchor(tx, anchor);
  return null;
}
