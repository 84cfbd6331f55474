/** The access log: an event for each request. It has no path, query or text of a caller, only the pattern of the route. */

import ipaddr from "ipaddr.js";
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
      address: mode === "full" ? address() : networkOf(address()),
      ...(name !== null && { name }),
    });

/** The /24 of an IPv4 address, the /48 of an IPv6 address. */
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return "unknown";
  const parsed = ipaddr.process(address);
  return parsed.kind() === "ipv4"
    ? `${ipaddr.IPv4.networkAddressFromCIDR(`${parsed.toString()}/24`).toString()}/24`
    : `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/48`).toString()}/48`;
}
