/** Checks of the public address. */

import { faultOfTime, readCertificate } from "../app/certificate.ts";
import { isWildcard } from "../app/browser_urls.ts";
import type { Config } from "../core/settings.ts";
import { messageOf } from "../core/log.ts";
import { findingsOf, type Finding } from "./finding.ts";

type Settings = Pick<Config, "base_url" | "host" | "trusted_proxies" | "webhooks">;

const answer_seconds_max = 10;

/** Whether links and receipts have an address that others can open. */
export function checkBaseUrl({ base_url, host, webhooks }: Settings): Finding {
  const { ok, warning } = findingsOf("base-url");
  if (base_url !== null) return ok(`The public address is ${base_url}.`);
  if (!isWildcard(host) && /^(?:127\.|::1$|localhost$)/.test(host)) {
    if (!webhooks) return ok("The service is for this machine alone: it needs no public address.");
    return warning(
      "There is no --base-url: the calls of webhooks name an address of this machine.",
      "Set --base-url, unless all receivers are on this machine.",
    );
  }
  return warning(
    "There is no --base-url: links use the Host header of each request, and receipts name the address listened at.",
    "Set --base-url to the address that callers use.",
  );
}

/**
 * Whether the public address leads to this instance. `kid`: the active signing key of the directory; null if it is not known.
 */
export async function checkReach({ base_url }: Settings, kid: string | null): Promise<Finding> {
  const { ok, failed } = findingsOf("reach");
  if (base_url === null) return ok("There is no public address to call.");
  const signal = AbortSignal.timeout(answer_seconds_max * 1000);
  try {
    const response = await fetch(`${base_url}/.well-known/jwks.json`, { signal, redirect: "manual" });
    if (response.status !== 200) {
      return failed(
        `${base_url} answers ${response.status} for its keys.`,
        "Have the proxy pass all paths below the base URL to the service, with the Host header.",
      );
    }
    const { keys } = (await response.json()) as { keys: { kid: string }[] };
    if (kid === null || keys.some((key) => key.kid === kid)) return ok(`${base_url} leads to this instance.`);
    return failed(
      `${base_url} leads to another instance: its keys are not those of this directory.`,
      "Point the proxy to this service, or name the right --data-dir.",
    );
  } catch (error) {
    return failed(
      `${base_url} cannot be reached from here: ${messageOf(error)}.`,
      "Look at the DNS name, the proxy, its certificate and the firewall; the service must be running.",
    );
  }
}

/** Whether the certificate can be used, and for how long. */
export function checkCertificate(config: Pick<Config, "tls_cert" | "tls_key">, now_ms: number): Finding {
  const { ok, warning, failed } = findingsOf("certificate");
  try {
    const certificate = readCertificate(config);
    if (certificate === null) return ok("The service has no certificate of its own.");
    const fault = faultOfTime(certificate, now_ms);
    if (fault === null) return ok("The certificate is valid, and belongs to its key.");
    return (fault.is_valid ? warning : failed)(`${config.tls_cert}: ${fault.found}`, fault.remedy);
  } catch (error) {
    return failed(messageOf(error), "Correct --tls-cert and --tls-key: the service does not start so.");
  }
}
