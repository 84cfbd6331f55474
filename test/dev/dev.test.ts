/** `wharf dev`: new data, a seed that repeats, and a reset. */

import { afterEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { default_config } from "../../src/core/settings.ts";
import { serveDevelopment, type DevOptions, type DevService } from "../../src/dev/serve.ts";
import { get, post } from "../support/http.ts";

let services: DevService[] = [];
afterEach(async () => {
  await Promise.all(services.map((service) => service.stop()));
  services = [];
});

async function start(options: Partial<DevOptions> = {}): Promise<DevService> {
  const service = await serveDevelopment({
    config: { ...default_config, port: 0 },
    in_memory: true,
    seed: 1,
    at_ms: Date.parse("2030-01-01T00:00:00.000Z"),
    is_frozen: true,
    writeLog() {},
    ...options,
  });
  services.push(service);
  return service;
}

const rooms = (url: string) => `${url}/api/meet/rooms`;

for (const in_memory of [true, false]) {
  test(`a reset returns to the start ${in_memory ? "in memory" : "on disk"}`, async () => {
    const { url, data_dir } = await start({ in_memory });
    const goal = { goal: "Which harbour is best?", name: "ana" };
    const first = await post(rooms(url), goal);
    expect(first.status).toBe(201);
    expect((await post(`${url}/_dev/reset`, {})).status).toBe(200);
    expect((await get<{ rooms: unknown[] }>(rooms(url))).body.rooms).toEqual([]);
    expect((await post(rooms(url), goal)).body).toEqual(first.body);
    if (data_dir !== null) expect(existsSync(`${data_dir}/wharf.db`)).toBe(true);
    await Promise.all(services.splice(0).map((service) => service.stop()));
    if (data_dir !== null) expect(existsSync(data_dir)).toBe(false);
  });
}
