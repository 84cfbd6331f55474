/** The addresses under which a service can be opened in a browser. */

import { networkInterfaces } from "node:os";

/** An IPv6 address in brackets (RFC 3986, section 3.2.2), another host as it is. */
export const hostInUrl = (host: string): string => (host.includes(":") ? `[${host}]` : host);

/**
 * Base URLs that reach a service that listens on `host` and `port`. Every address of the machine for `0.0.0.0` (IPv4)
 * and `::` (IPv4 and IPv6), loopback first; link-local ones are left out, since browsers cannot open them.
 */
export function addressesOf(host: string, port: number): string[] {
  return hostsOf(host).map((name) => `http://${hostInUrl(name)}:${port}`);
}

/** Whether `host` stands for every address of the machine. */
export const isWildcard = (host: string): boolean => host === "0.0.0.0" || host === "::";

function hostsOf(host: string): string[] {
  if (!isWildcard(host)) return [host];
  const found = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family }) => family === "IPv4" || host === "::")
    .filter(({ address }) => !/^fe[89ab]/i.test(address))
    .toSorted((a, b) => Number(b.internal) - Number(a.internal));
  const names = [...new Set(found.map(({ address }) => address))];
  // A sandbox may hide the interfaces.
  return names.length > 0 ? names : ["localhost"];
}
