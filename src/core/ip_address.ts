/** IP addresses: whether a text is one, and the network of one. `node:net` knows the first, too, but takes 10 ms of each start to load. */

import ipaddr from "ipaddr.js";

/** 4 or 6 for an address in its usual spelling, which may have a zone (RFC 4007, section 11) if it is IPv6; otherwise 0. */
export function ipVersion(text: string): 0 | 4 | 6 {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return 4;
  const without_zone = text.replace(/%.+$/, "");
  return without_zone.includes(":") && ipaddr.IPv6.isValid(without_zone) ? 6 : 0;
}

/** The /24 of an IPv4 address, the /48 of an IPv6 address; null for any other text. */
export function shortNetwork(address: string): string | null {
  if (!ipaddr.isValid(address)) return null;
  const parsed = ipaddr.process(address);
  return parsed.kind() === "ipv4"
    ? `${ipaddr.IPv4.networkAddressFromCIDR(`${parsed.toString()}/24`).toString()}/24`
    : `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/48`).toString()}/48`;
}
