/** The index of lockers for tests. */

import type { LockerIndex } from "../../src/api/locker/locker.ts";
import { get } from "./http.ts";

/** The totals that the index returns, and the totals counted over its pages. */
export async function readIndex(url: string) {
  const counted = { count: 0, slots_total: 0 };
  for (let cursor = ""; ;) {
    const { body } = await get<LockerIndex>(`${url}/api/locker/index?limit=1000${cursor}`);
    counted.count += body.lockers.length;
    for (const { slots } of body.lockers) counted.slots_total += slots.length;
    const { count, slots_total } = body;
    if (!body.next) return { count, slots_total, counted };
    cursor = `&cursor=${body.next}`;
  }
}
