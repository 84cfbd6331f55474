/** The write commands of the beacon: publish a day, advance its time, store an anchor. */

import { sha256Hex } from "../core/secrets.ts";
import type { Tx } from "../core/storage.ts";
import * as store from "./store.ts";

export interface PublishInput {
  day: store.DayRow;
  /** The day's secret if it is new; else null. */
  new_secret: store.SecretRow | null;
}

/**
 * Publishes a day as the next link of the chain. Does nothing if the day is not later than the latest published day, or if
 * its `prev` is not the hash of the latest statement.
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
