/** Whether a text is an IP address. `node:net` knows it, too, but takes 10 ms of each start to load. */

import ipaddr from "ipaddr.js";

/** 4 or 6 for an address in its usual spelling, which may have a zone (RFC 4007, section 11) if it is IPv6; otherwise 0. */
export function ipVersion(text: string): 0 | 4 | 6 {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return 4;
  const without_zone = text.replace(/%.+$/, "");
  return without_zone.includes(":") && ipaddr.IPv6.isValid(without_zone) ? 6 : 0;
}
