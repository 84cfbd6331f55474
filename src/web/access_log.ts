/** The access log: an event for each request. It has no path, query or text of a caller, only the pattern of the route. */

import { shortNetwork } from "../core/ip_address.ts";
import type { Log } from "../core/log.ts";
import type { AnsweredRequest } from "./ingress_observer.ts";

/** Logs requests; with `short`, only the network of their addresses. */
export const createAccessLog =
  (log: Pick<Log, "info">, mode: "full" | "short") =>
  ({ id, method, route, status, ms, address, name, bytes }: AnsweredRequest): void =>
    log.info("request", {
      request_id: id,
      method,
      route,
      status,
      bytes: bytes(),
      ms: Math.round(ms * 10) / 10,
      address: mode === "full" ? address() : (shortNetwork(address()) ?? "unknown"),
      ...(name !== null && { name }),
    });
