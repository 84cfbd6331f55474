/** Proxies in front of the service: which ones are trusted, and which address their headers name. */

import ipaddr from "ipaddr.js";
import { ipVersion } from "../core/ip_address.ts";
import type { Log } from "../core/log.ts";

/** Hops that are read, from the right. If there are more, the last of these is the caller. */
const hops_max = 32;
/** Peers to warn of, each once. Limited, because anybody can send these headers. */
const warned_max = 20;
/** The longest valid form of a hop. */
const hop_chars_max = 64;

/** `networks`: CIDR blocks. */
export function createTrustedProxies(networks: string[], warn: Log["warn"]) {
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
    /** Whether `peer` is a trusted proxy. */
    trusts: isTrusted,

    /** Whether to trust the forwarded headers of a request from `peer`. Warns of an untrusted peer. */
    believes,

    /** The peers that were warned of. */
    ignored: (): string[] => [...warned],

    /** The caller's address, given the peer and its X-Forwarded-For: the rightmost hop before the trusted proxies. */
    callerBehind(peer: string, forwarded_for: string): string {
      if (!believes(peer)) return peer;
      let address = peer;
      let end = forwarded_for.length;
      for (let hops = 0; hops < hops_max && end >= 0 && isTrusted(address); hops++) {
        const begin = forwarded_for.lastIndexOf(",", end - 1) + 1;
        const hop = addressIn(forwarded_for.slice(begin, end));
        // If a proxy names no valid address, the caller is the proxy.
        if (hop === null) break;
        address = hop;
        end = begin - 1;
      }
      return address;
    },
  };
}

/**
 * The address in a hop, in its normal spelling; null if invalid. A hop may have a port, brackets or quotes (RFC 7239,
 * section 6, and common proxies).
 */
function addressIn(hop: string): string | null {
  if (hop.length > hop_chars_max) return null;
  const text = hop.trim().replace(/^"(.*)"$/, "$1");
  const in_brackets = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text);
  const with_port = /^([\d.]+):\d{1,5}$/.exec(text);
  // A zone (RFC 4007) is valid only on the proxy's machine.
  const bare = (in_brackets?.[1] ?? with_port?.[1] ?? text).replace(/%.*$/, "");
  return ipVersion(bare) === 0 ? null : ipaddr.process(bare).toString();
}
