/** `wharf dev`: new data, a seed that repeats, and a reset. */

import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { startDev, stopDev } from "../support/dev.ts";
import { get, post } from "../support/http.ts";

const rooms = (url: string) => `${url}/api/meet/rooms`;

for (const in_memory of [true, false]) {
  test(`a reset returns to the start ${in_memory ? "in memory" : "on disk"}`, async () => {
    const { url, data_dir } = await startDev({ in_memory });
    const goal = { goal: "Which harbour is best?", name: "ana" };
    const first = await post(rooms(url), goal);
    expect(first.status).toBe(201);
    expect((await post(`${url}/_dev/reset`, {})).status).toBe(200);
    expect((await get<{ rooms: unknown[] }>(rooms(url))).body.rooms).toEqual([]);
    expect((await post(rooms(url), goal)).body).toEqual(first.body);
    if (data_dir !== null) expect(existsSync(`${data_dir}/wharf.db`)).toBe(true);
    await stopDev();
    if (data_dir !== null) expect(existsSync(data_dir)).toBe(false);
  });
}
