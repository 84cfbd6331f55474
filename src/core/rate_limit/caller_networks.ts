/** The networks by which addresses are counted: an IPv4 address by itself, IPv6 by the /64 and the /48 around it. */

import ipaddr from "ipaddr.js";

export interface Networks {
  /** What one subscriber usually has: the IPv4 address, or the IPv6 /64. */
  narrow: string;
  /** The IPv6 /48, of which some have a whole one; null for IPv4. */
  wide: string | null;
}

/** Addresses whose networks are remembered, so that one that calls again is not parsed again. */
const remembered_max = 10_000;
const remembered = new Map<string, Networks>();

/** The networks of an address. What is no address, such as that of a peer that has gone, is a network of its own. */
export function networksOf(address: string): Networks {
  const known = remembered.get(address);
  if (known) return known;
  const networks = parsed(address);
  if (remembered.size >= remembered_max) remembered.clear();
  remembered.set(address, networks);
  return networks;
}

function parsed(address: string): Networks {
  if (!ipaddr.isValid(address)) return { narrow: address, wide: null };
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return { narrow: parsed.toString(), wide: null };
  const bytes = Buffer.from(parsed.toByteArray());
  return { narrow: bytes.toString("hex", 0, 8), wide: bytes.toString("hex", 0, 6) };
}
