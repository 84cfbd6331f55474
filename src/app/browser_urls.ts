/** The URLs at which a service can be opened in a browser. */

import { networkInterfaces } from "node:os";

/** A host for use in a URL: an IPv6 address in brackets (RFC 3986, section 3.2.2), any other host unchanged. */
export const hostInUrl = (host: string): string => (host.includes(":") ? `[${host}]` : host);

/**
 * The base URLs of a service that listens on `host` and `port`. For `0.0.0.0` (IPv4) and `::` (IPv4 and IPv6): every
 * address of the machine, loopback first, without link-local ones, which browsers cannot open.
 */
export function addressesOf(host: string, port: number, scheme: "http" | "https"): string[] {
  return hostsOf(host).map((name) => `${scheme}://${hostInUrl(name)}:${port}`);
}

/** Whether `host` means every address of the machine. */
export const isWildcard = (host: string): boolean => host === "0.0.0.0" || host === "::";

function hostsOf(host: string): string[] {
  if (!isWildcard(host)) return [host];
  const found = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family }) => family === "IPv4" || host === "::")
    .filter(({ address }) => !/^fe[89ab]/i.test(address))
    .toSorted((a, b) => Number(b.internal) - Number(a.internal));
  const names = [...new Set(found.map(({ address }) => address))];
  // The list can be empty in a sandbox.
  return names.length > 0 ? names : ["localhost"];
}
