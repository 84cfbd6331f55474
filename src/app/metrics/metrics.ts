/** Metrics of the service, loaded only with `--metrics-listen`. */

import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { Meter } from "../../core/meter.ts";
import { listenForMetrics, type MetricsListener } from "./metrics_server.ts";
import { measureProcess } from "./process_metrics.ts";
import { createRegistry } from "./registry.ts";

export interface Metrics extends MetricsListener {
  meter: Meter;
}

/** Starts to listen at `address`. Throws a user-facing error if that is not possible. */
export function startMetrics(address: string, clock: Clock, log: Log): Metrics {
  const registry = createRegistry(log);
  const listener = listenForMetrics(address, registry.text);
  const stopMeasuring = measureProcess(registry, clock);
  return {
    meter: registry,
    url: listener.url,
    async stop() {
      stopMeasuring();
      await listener.stop();
    },
  };
}
