/** The origin of a request: the caller's address, the base URL for links, and the check of the Host header. */

import { web_errors } from "./errors.ts";
import { call_errors } from "../core/general_errors.ts";
import { ServiceError } from "../core/errors.ts";
import { isAddress, isLoopbackName } from "../core/public_hosts.ts";
import type { Log } from "../core/log.ts";
import { holdsSecret } from "../core/secrets.ts";
import type { Config } from "../core/settings.ts";
import { createTrustedProxies } from "./trusted_proxies.ts";

export type RequestOrigin = ReturnType<typeof createRequestOrigin>;

/** The first of each kind. */
export interface Ignored {
  /** Host names that are not served. */
  hosts: string[];
  /** Peers whose forwarded headers were ignored. */
  proxies: string[];
}

const host_form = /^(?:\[[0-9a-f:.]{2,45}\]|[a-z0-9_](?:[a-z0-9._-]{0,253}))(?::\d{1,5})?$/i;

/** A port above 65535 makes an invalid URL. A key in the host would appear in every link. */
const isHost = (text: string): boolean =>
  host_form.test(text) && URL.canParse(`http://${text}`) && !holdsSecret(text);

/** Remembered spellings of allowed hosts, so that each is checked once. */
const known_hosts_max = 100;

const hint_to_allow = "If you run this service, allow the host with --base-url or --allowed-host.";

/** Logs each refused host once, and only the first `known_hosts_max` of them, because anybody can send any name. */
function refusedHosts(log: Log) {
  const logged = new Set<string>();
  const add = (host: string): void => {
    if (logged.has(host) || logged.size > known_hosts_max) return;
    // The entry after the last host stands for the closing line.
    logged.add(host);
    if (logged.size <= known_hosts_max) log.warn("host.refused", { host, hint: hint_to_allow });
    else log.warn("host.refused", { hint: "Many hosts were refused; no further ones are logged." });
  };
  return { add, hosts: () => [...logged].slice(0, known_hosts_max) };
}

/**
 * `peer` returns the address of the other end of a request's connection. `serves_addresses`: whether any IP address is served as a
 * host, and not only those that are named. Logs refused hosts and untrusted proxies.
 */
export function createRequestOrigin(
  config: Config,
  peer: (request: Request) => string,
  log: Log,
  serves_addresses = true,
) {
  const base_host = config.base_url === null ? [] : [new URL(config.base_url).hostname];
  const names = new Set([...base_host, ...config.allowed_hosts].map((name) => name.toLowerCase()));
  const proxies = createTrustedProxies(config.trusted_proxies, log.warn);
  const known_hosts = new Set<string>();
  const refused = refusedHosts(log);

  const hostServed = (host: string): boolean => {
    const name = hostName(host);
    return isLoopbackName(name) || names.has(name) || (serves_addresses && isAddress(name));
  };

  const served = (request: Request): boolean => {
    const host = request.headers.get("host") ?? "";
    if (known_hosts.has(host)) return true;
    if (!isHost(host) || !hostServed(host)) return false;
    if (known_hosts.size < known_hosts_max) known_hosts.add(host);
    return true;
  };

  return {
    /** The public base URL of the service as this caller reached it, without a slash at the end. */
    base(request: Request): string {
      if (config.base_url !== null) return config.base_url;
      // Never build links with a host that is not ours.
      if (!served(request)) return "";
      const url = request.url;
      // The target of CONNECT is no URL.
      if (!url.startsWith("http://")) return "";
      const origin = url.slice(0, url.indexOf("/", 8));
      const is_https =
        config.tls_cert !== null ||
        (request.headers.get("x-forwarded-proto") === "https" && proxies.believes(peer(request)));
      return is_https ? origin.replace(/^http:/, "https:") : origin;
    },

    /** The caller's address: the peer's, or the rightmost hop before the trusted proxies. */
    address(request: Request): string {
      const forwarded_for = request.headers.get("x-forwarded-for");
      return forwarded_for === null ? peer(request) : proxies.callerBehind(peer(request), forwarded_for);
    },

    /** Whether a trusted proxy sent the request. */
    isFromProxy: (request: Request): boolean => proxies.trusts(peer(request)),

    /** What requests have named since the start that the settings do not allow. */
    ignored: (): Ignored => ({ hosts: refused.hosts(), proxies: proxies.ignored() }),

    /** Throws if the Host header is malformed or names another host (DNS rebinding). */
    checkHost(request: Request): void {
      if (served(request)) return;
      const host = request.headers.get("host") ?? "";
      if (!isHost(host)) {
        throw new ServiceError(call_errors.malformed_request, "The Host header is missing or malformed.");
      }
      refused.add(hostName(host));
      throw new ServiceError(
        web_errors.host_not_served,
        "The Host header names a host that is not served here.",
        {
          hint: hint_to_allow,
        },
      );
    },
  };
}

const hostName = (host: string): string => host.replace(/:\d+$/, "").toLowerCase();
