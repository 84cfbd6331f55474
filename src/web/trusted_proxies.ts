/** Proxies that stand before the service: which of them are believed, and whose address their headers name. */

import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import type { Log } from "../core/log.ts";

export interface TrustedProxies {
  /** Whether to believe the forwarded headers of a request from `peer`. Warns of a peer that is not trusted. */
  believes(peer: string): boolean;
  /** The caller's address, given the peer and its X-Forwarded-For: the rightmost hop before the trusted proxies. */
  callerBehind(peer: string, forwarded_for: string): string;
}

/** Hops of one request that are looked at, from the right; the last of them is the caller where there are more. */
const hops_max = 32;
/** Peers that are warned of, each once: strangers may send these headers, too. */
const warned_max = 20;
/** No form of a hop is longer. */
const hop_chars_max = 64;

/** `networks`: CIDR blocks. */
export function createTrustedProxies(networks: string[], warn: Log["warn"]): TrustedProxies {
  const trusted = networks.map((network) => ipaddr.parseCIDR(network));
  const warned = new Set<string>();

  function isTrusted(address: string): boolean {
    if (!ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    return trusted.some((network) => parsed.kind() === network[0].kind() && parsed.match(network));
  }

  function believes(peer: string): boolean {
    if (isTrusted(peer)) return true;
    if (warned.size < warned_max && !warned.has(peer)) {
      warned.add(peer);
      warn("proxy.not_trusted", {
        peer,
        hint: "This peer sends forwarded headers, which are ignored. If it is your proxy, name it with --trusted-proxy.",
      });
    }
    return false;
  }

  return {
    believes,
    callerBehind(peer, forwarded_for) {
      if (!believes(peer)) return peer;
      let address = peer;
      let end = forwarded_for.length;
      for (let hops = 0; hops < hops_max && end >= 0 && isTrusted(address); hops++) {
        const begin = forwarded_for.lastIndexOf(",", end - 1) + 1;
        const hop = addressIn(forwarded_for.slice(begin, end));
        // Whatever a proxy names that is no address, it is the one that called.
        if (hop === null) break;
        address = hop;
        end = begin - 1;
      }
      return address;
    },
  };
}

/**
 * The address in a hop: bare, with a port, in brackets, in quotes (RFC 7239, section 6, and what proxies write). In one
 * spelling, whatever the hop's; null for what is no address.
 */
function addressIn(hop: string): string | null {
  if (hop.length > hop_chars_max) return null;
  const text = hop.trim().replace(/^"(.*)"$/, "$1");
  const in_brackets = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text);
  const with_port = /^([\d.]+):\d{1,5}$/.exec(text);
  // A zone (RFC 4007) means something on the proxy's machine only.
  const bare = (in_brackets?.[1] ?? with_port?.[1] ?? text).replace(/%.*$/, "");
  return isIP(bare) === 0 ? null : ipaddr.process(bare).toString();
}
