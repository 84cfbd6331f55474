/** Whether a host name or an address is public, an address, or of this machine. */

import ipaddr from "ipaddr.js";

/** The normal form of a host name: lower case, without the dot of the root, an IPv6 address without brackets. */
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

/** The names in ipaddr.js of the ranges that are not public (RFC 1918, 4193, 6598, 3927, 1122). */
const private_ranges = new Set([
  "loopback",
  "private",
  "uniqueLocal",
  "carrierGradeNat",
  "linkLocal",
  "unspecified",
]);

/**
 * Whether `name`, the host of a URL, is public. Private addresses, names reserved for local networks (RFC 6761, 6762, and
 * those that routers use) and names with a single label are not.
 */
export function isPublicName(name: string): boolean {
  const bare = bareName(name);
  if (ipaddr.isValid(bare)) return !private_ranges.has(ipaddr.process(bare).range());
  return bare.includes(".") && !/\.(?:local|lan|internal|localhost)$/.test(bare);
}
