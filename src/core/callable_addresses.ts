/** Which IP addresses the service connects to if a stranger names them: public ones, and those that the operator allows. */

import ipaddr from "ipaddr.js";
import { ipVersion } from "./ip_address.ts";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Block = readonly [Address, number];

/** An address that may be called. */
export interface CallableAddress {
  /** In its canonical form, the one that was checked. */
  address: string;
  /** Whether the operator allowed it; otherwise it is public. */
  is_allowed: boolean;
}

/** Refused even if the operator allows a network around them. */
const never = [
  // "This host on this network" and the unspecified address: a connection to them reaches this machine.
  ...["0.0.0.0/8", "::/128"],
  // Link-local addresses, among them the metadata service of most clouds, which gives out a machine's credentials.
  ...["169.254.0.0/16", "fe80::/10"],
  // Metadata services elsewhere: Alibaba Cloud, Azure, Oracle Cloud, AWS, Google Cloud, Scaleway.
  ...["100.100.100.200/32", "168.63.129.16/32", "192.0.0.192/32"],
  ...["fd00:ec2::/32", "fd20:ce::254/128", "fd00:42::42/128"],
  // Multicast and broadcast.
  ...["224.0.0.0/4", "255.255.255.255/32", "ff00::/8"],
  // They contain an IPv4 address that a relay would connect to: 6to4 (RFC 3056), Teredo (RFC 4380), local-use translation
  // (RFC 8215), IPv4-translated (RFC 7915), IPv4-compatible (RFC 4291, section 2.5.5.1; also contains ::1).
  ...["2002::/16", "2001::/32", "64:ff9b:1::/48", "::ffff:0:0:0/96", "::/96"],
].map(blockOf);

const [translated, global_unicast] = [blockOf("64:ff9b::/96"), blockOf("2000::/3")];

/** Throws if `text` is not a CIDR block. An IPv4-mapped block is its IPv4 block. */
function blockOf(text: string): Block {
  const [address, bits] = ipaddr.parseCIDR(text);
  const is_mapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= 96;
  return is_mapped ? [address.toIPv4Address(), bits - 96] : [address, bits];
}

const isIn = (address: Address, [network, bits]: Block): boolean =>
  address.kind() === network.kind() && address.match(network, bits);

const isNever = (address: Address): boolean =>
  address.range() !== "loopback" && never.some((block) => isIn(address, block));

/** Whether it is none of the special-purpose addresses (RFC 6890) and, if IPv6, among those that are assigned (RFC 4291). */
const isPublic = (address: Address): boolean =>
  address.range() === "unicast" && (address.kind() === "ipv4" || isIn(address, global_unicast));

/**
 * Returns a function that checks an IP address in its usual spelling; it returns null if the address must not be called.
 * `allow`: CIDR blocks of addresses that are not public and may be called anyway. Throws if one is no CIDR block.
 */
export function callableAddresses(allow: readonly string[]): (text: string) => CallableAddress | null {
  const allowed = allow.map(blockOf);
  const isAllowed = (address: Address) => allowed.some((block) => isIn(address, block));

  function check(given: Address): CallableAddress | null {
    // The system connects to the IPv4 address within a mapped one (RFC 4291, section 2.5.5.2).
    const is_mapped = given instanceof ipaddr.IPv6 && given.isIPv4MappedAddress();
    const address = is_mapped ? given.toIPv4Address() : given;
    if (isNever(address)) return null;
    const is_allowed = isAllowed(address);
    if (is_allowed && isIn(address, translated)) {
      // A translator connects to the IPv4 address at the end (RFC 6052, section 2.2).
      if (!check(ipaddr.fromByteArray(address.toByteArray().slice(-4)))) return null;
    }
    // No name has a reason to resolve to a mapped public address.
    if (!is_allowed && (is_mapped || !isPublic(address))) return null;
    return { address: address.toString(), is_allowed };
  }

  return (text) => (ipVersion(text) === 0 || text.includes("%") ? null : check(ipaddr.parse(text)));
}
