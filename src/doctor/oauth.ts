/** `wharf doctor --oauth`: whether clients can sign in at a service, checked from outside. It stores nothing there. */

import { hostInUrl, isWildcard } from "../app/browser_urls.ts";
import type { Clock } from "../core/clock.ts";
import { isLoopbackName, isPublicName } from "../core/public_hosts.ts";
import type { Config } from "../core/settings.ts";
import { findingsOf, type Finding } from "./finding.ts";
import { checkBots, checkChallenge, checkCors, checkMcp, checkRoot, metadataOf } from "./oauth_addresses.ts";
import { callOf, initialize, oauthAddresses, type Sent } from "./oauth_calls.ts";
import { checkAuthorize, checkRegister, checkToken, invalid_token_request } from "./oauth_endpoints.ts";
import { checkAbilities, checkIssuer, checkResource, endpointOf } from "./oauth_metadata.ts";
import { checkDns, checkHttps, resolveByDns, type Resolve } from "./oauth_network.ts";

interface OauthDeps {
  clock: Clock;
  /** Default: by the DNS. */
  resolve?: Resolve;
}

/** The address to check without one on the command line: the public one, else that of the service on this machine. */
export function baseOf({ base_url, host, port, tls_cert }: Config): string {
  if (base_url !== null) return base_url;
  const local = isWildcard(host) ? "127.0.0.1" : hostInUrl(host);
  return `${tls_cert === null ? "http" : "https"}://${local}:${port}`;
}

/**
 * The issuer of a service on this machine that is called by the name `localhost`: without --base-url it has the address listened at.
 * undefined: the one of `base` itself.
 */
async function localIssuer(base: string): Promise<string | undefined> {
  const { hostname, port } = new URL(base);
  if (hostname !== "localhost") return undefined;
  const { members } = await callOf(oauthAddresses(base).resource_metadata);
  const [named] = Array.isArray(members?.authorization_servers)
    ? (members.authorization_servers as unknown[])
    : [];
  const url = typeof named === "string" ? URL.parse(named) : null;
  const is_own = url !== null && isLoopbackName(url.hostname) && url.port === port && url.href === named;
  return is_own ? named : undefined;
}

/** Runs all checks of signing in at `base`, an http or https address. If nothing answers there, they end early. */
export async function examineOauth(
  base: string,
  { clock, resolve = resolveByDns }: OauthDeps,
): Promise<Finding[]> {
  const addresses = oauthAddresses(base, await localIssuer(base));
  const { account, issuer_origin } = addresses;
  const network = [await checkDns(base, resolve), await checkHttps(base, clock.now())];
  const challenge = await callOf(account, initialize);
  if (challenge.status === 0) {
    const remedy =
      "Look at the DNS name, the proxy, its certificate and the firewall; the service must be running.";
    return [...network, findingsOf("oauth-challenge").failed(`${account} ${challenge.what}.`, remedy)];
  }
  const named = metadataOf(challenge);
  const { finding: issuer, metadata } = await checkIssuer(addresses);
  const [authorize, token, register] = (
    ["authorization_endpoint", "token_endpoint", "registration_endpoint"] as const
  ).map((name) => endpointOf(metadata, name, issuer_origin));
  const called: [string, Sent][] = [
    [account, initialize],
    [addresses.resource_metadata, {}],
    ...(token ? [[token, invalid_token_request] satisfies [string, Sent]] : []),
  ];
  return [
    ...network,
    await checkMcp(addresses),
    checkChallenge(challenge, addresses),
    await checkResource(addresses, named !== null && URL.canParse(named) ? named : null),
    issuer,
    ...(metadata === null ? [] : [checkAbilities(metadata, addresses)]),
    ...(authorize ? [await checkAuthorize(authorize)] : []),
    ...(token ? [await checkToken(token)] : []),
    ...(register ? [await checkRegister(register)] : []),
    await checkRoot(addresses),
    await checkBots(called),
    isPublicName(new URL(base).hostname)
      ? await checkCors(addresses, token ?? null)
      : findingsOf("oauth-cors").ok("The address is not public: web pages of other origins are refused."),
  ];
}
