/** Comparisons of what changes with the round of the beacon, in a process with the real clock. */

import { get } from "./http.ts";

/** What `read` resolves to, if it ran within one round; otherwise it runs again, in the next. */
export async function withinOneRound<T>(service_url: string, read: () => Promise<T>): Promise<T> {
  const round = async () =>
    (await get<{ now: { round: number } }>(`${service_url}/api/beacon`)).body.now.round;
  for (;;) {
    const began = await round();
    const result = await read();
    if ((await round()) === began) return result;
  }
}
