/** The service of development for tests: in this process, in memory, with the clock stopped. */

import { afterEach } from "bun:test";
import { default_config } from "../../src/core/settings.ts";
import { serveDevelopment, type DevOptions, type DevService } from "../../src/dev/serve.ts";
import { get, post, type Answer } from "./http.ts";

const services: DevService[] = [];

/** Stops all services that `startDev` has started. */
export async function stopDev(): Promise<void> {
  await Promise.all(services.splice(0).map((service) => service.stop()));
}
afterEach(stopDev);

/** Starts a service, which stops after the test. */
export async function startDev(options: Partial<DevOptions> = {}): Promise<DevService> {
  const service = await serveDevelopment({
    // The requests of a program name this host, so that answers are the same on any port.
    config: { ...default_config, port: 0, allowed_hosts: ["wharf.test"] },
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

/** Sets the clock. */
export const setClock = (url: string, change: object): Promise<Answer> => post(`${url}/_dev/clock`, change);

export interface DevState {
  seed: number;
  data_dir: string | null;
  at: string;
  faults: unknown[];
  snapshots: unknown[];
  now: string;
  frozen: boolean;
  requests: number;
  open: { streams: number; waits: number };
}

export const devState = async (url: string): Promise<DevState> => (await get<DevState>(`${url}/_dev`)).body;

/** Resolves when the service has so many waits and streams open. */
export async function untilOpen(url: string, { waits = 0, streams = 0 }): Promise<void> {
  for (;;) {
    const { open } = await devState(url);
    if (open.waits === waits && open.streams === streams) return;
    await Bun.sleep(2);
  }
}
