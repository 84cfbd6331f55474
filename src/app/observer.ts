/** Who observes requests: the access log and the metrics, as the settings say. */

import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { no_meter, type Meter } from "../core/meter.ts";
import type { Config } from "../core/settings.ts";
import { createAccessLog } from "../web/access_log.ts";
import type { CallerAddress } from "../web/caller_address.ts";
import { createRequestMetrics } from "../web/http_metrics.ts";
import { createRequestObserver, type RequestObserver } from "../web/ingress_observer.ts";

interface ObserverDeps {
  config: Pick<Config, "access_log">;
  log: Log;
  meter: Meter;
  addresses: CallerAddress;
  clock: Pick<Clock, "monotonic">;
}

/** Null if nobody observes. */
export function observerOf({ config, log, meter, addresses, clock }: ObserverDeps): RequestObserver | null {
  const { access_log } = config;
  const users = [
    ...(access_log === "off" ? [] : [createAccessLog(log, access_log)]),
    ...(meter === no_meter ? [] : [createRequestMetrics(meter)]),
  ];
  return createRequestObserver(users, addresses.of, clock);
}
