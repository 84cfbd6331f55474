/** The write command of the service clock. */

import { isoTime } from "../core/clock.ts";
import type { Tx } from "../core/storage.ts";
import type { Mark } from "./discipline.ts";
import { putMark } from "./store.ts";

/** Stores a mark, from which the next start continues. Returns whether `limitActivity` has more to do. */
export async function storeMark(
  tx: Tx,
  limitActivity: (tx: Tx, now: string) => Promise<boolean>,
  { now_ms, steady_ms, ...mark }: Mark,
): Promise<{ more: boolean }> {
  const now = isoTime(now_ms);
  await putMark(tx, { ...mark, service_time: now, steady_time: isoTime(steady_ms) });
  return { more: await limitActivity(tx, now) };
}
