/** Metrics of requests, by the pattern of their route. */

import { seconds_buckets, type Meter } from "../core/meter.ts";
import type { AnsweredRequest } from "./ingress_observer.ts";

export function createRequestMetrics(meter: Meter): (request: AnsweredRequest) => void {
  const requests = meter.counter({
    name: "wharf_http_requests_total",
    help: "Answered requests; the route of those that were refused before they had one is none.",
    labels: ["method", "route", "status"],
  });
  const durations = meter.histogram({
    name: "wharf_http_request_duration_seconds",
    help: "Time from a request to the start of its answer; a wait counts in full.",
    labels: ["method", "route"],
    buckets: seconds_buckets,
  });
  return ({ method, route, status, ms }) => {
    // The ingress refuses other methods, and Bun knows few: these are all that there are.
    requests.count(method, route, String(status));
    durations.observe(ms / 1000, method, route);
  };
}
