/** The networks by which rate limits count addresses: the IPv4 address; the IPv6 /64 and /48. */

import ipaddr from "ipaddr.js";

export interface Networks {
  /** The usual network of one subscriber: the IPv4 address, or the IPv6 /64. */
  narrow: string;
  /** The IPv6 /48, which some subscribers have; null for IPv4. */
  wide: string | null;
}

/** Most addresses whose networks are cached, because parsing an address takes time. */
const cached_max = 10_000;
const cached = new Map<string, Networks>();

/** The networks of an address. Any other text, such as that for a closed connection, is a network of its own. */
export function networksOf(address: string): Networks {
  const known = cached.get(address);
  if (known) return known;
  const networks = parsed(address);
  if (cached.size >= cached_max) cached.clear();
  cached.set(address, networks);
  return networks;
}

function parsed(address: string): Networks {
  if (!ipaddr.isValid(address)) return { narrow: address, wide: null };
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return { narrow: parsed.toString(), wide: null };
  const bytes = Buffer.from(parsed.toByteArray());
  return { narrow: bytes.toString("hex", 0, 8), wide: bytes.toString("hex", 0, 6) };
}
