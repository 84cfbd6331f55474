/** Addresses and host names: which of them the public Internet can reach. */

import ipaddr from "ipaddr.js";

/** A host name as it is compared: in lower case, without the dot of the root, an IPv6 address without its brackets. */
const bareName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/\.$/, "")
    .replace(/^\[|\]$/g, "");

/** Whether `name`, the host of a URL or a Host header without its port, is an IP address. */
export const isAddress = (name: string): boolean => ipaddr.isValid(bareName(name));

export function isLoopbackName(name: string): boolean {
  const bare = bareName(name);
  if (bare === "localhost" || bare.endsWith(".localhost")) return true;
  return ipaddr.isValid(bare) && ipaddr.process(bare).range() === "loopback";
}

/** What ipaddr.js calls the ranges that only machines nearby can reach (RFC 1918, 4193, 6598, 3927, 1122). */
const private_ranges = new Set([
  "loopback",
  "private",
  "uniqueLocal",
  "carrierGradeNat",
  "linkLocal",
  "unspecified",
]);

/**
 * Whether `name`, the host of a URL, is public: no private address, none of the names that networks keep for
 * themselves (RFC 6761, 6762 and what routers use), and no name of a single label, which only a local network knows.
 */
export function isPublicName(name: string): boolean {
  const bare = bareName(name);
  if (ipaddr.isValid(bare)) return !private_ranges.has(ipaddr.process(bare).range());
  return bare.includes(".") && !/\.(?:local|lan|internal|localhost)$/.test(bare);
}
