/** Whether a vendor's machines can reach an address: its name, its addresses and its certificate. */

import { resolve4, resolve6 } from "node:dns/promises";
import { connect } from "node:tls";
import { faultOfTime } from "../app/certificate.ts";
import { callableAddresses } from "../core/callable_addresses.ts";
import { isAddress, isLoopbackName, isPublicName } from "../core/public_hosts.ts";
import { messageOf } from "../core/log.ts";
import { findingsOf, type Finding } from "./finding.ts";

/** The records of a host name. Rejects if the DNS cannot be questioned. */
export type Resolve = (host: string) => Promise<{ a: string[]; aaaa: string[] }>;

export const resolveByDns: Resolve = async (host) => {
  const none = (error: { code?: string }): string[] => {
    if (error.code === "ENODATA" || error.code === "ENOTFOUND") return [];
    throw error;
  };
  return { a: await resolve4(host).catch(none), aaaa: await resolve6(host).catch(none) };
};

const some_address =
  "Give the name an A record with a public IPv4 address, or use a tunnel that has one: vendors call from the internet, and several by IPv4 only.";

const publicAddress = callableAddresses([]);

/** Whether the host of `base` has a public address of IPv4. */
export async function checkDns(base: string, resolve: Resolve): Promise<Finding> {
  const { ok, warning, failed } = findingsOf("oauth-dns");
  const { hostname } = new URL(base);
  if (isLoopbackName(hostname)) return ok(`${hostname} is this machine: there is no name to resolve.`);
  if (isAddress(hostname)) {
    return isPublicName(hostname)
      ? warning(`${hostname} is an address, for which few certificates are issued.`, some_address)
      : failed(`${hostname} is not public: only clients in the same network reach it.`, some_address);
  }
  try {
    const { a, aaaa } = await resolve(hostname);
    const closed = [...a, ...aaaa].filter((address) => publicAddress(address) === null);
    if (closed.length > 0)
      return failed(`${hostname} has addresses that are not public: ${closed.join(", ")}.`, some_address);
    if (a.length === 0 && aaaa.length === 0) return failed(`${hostname} has no address.`, some_address);
    if (a.length === 0) return failed(`${hostname} has an AAAA record only.`, some_address);
    return ok(`${hostname} has the public address ${a.join(", ")}.`);
  } catch (error) {
    return warning(
      `${hostname} cannot be resolved here: ${messageOf(error)}.`,
      "Try it from another machine.",
    );
  }
}

/** Whether `base` is https with a certificate that clients accept. */
export async function checkHttps(base: string, now_ms: number): Promise<Finding> {
  const { ok, warning, failed } = findingsOf("oauth-https");
  const { protocol, hostname, port } = new URL(base);
  const proxy =
    "Put a proxy with TLS in front, and start the service with --base-url https://… (docs/connect.md).";
  if (protocol !== "https:") {
    return isLoopbackName(hostname)
      ? warning(`${base} is not https: only clients on this machine can sign in.`, proxy)
      : failed(`${base} is not https: clients refuse it, and others can read the tokens.`, proxy);
  }
  try {
    const times = await timesOfCertificate(hostname.replace(/^\[|\]$/g, ""), Number(port || 443));
    const fault = faultOfTime({ ...times, cert: "", key: "" }, now_ms);
    if (fault !== null)
      return (fault.is_valid ? warning : failed)(`Its certificate: ${fault.found}`, fault.remedy);
    if (port !== "")
      return warning(
        `${base} has the port ${port}; some vendors call port 443 only.`,
        "Serve it at port 443.",
      );
    return ok(`${base} has a certificate that is trusted here.`);
  } catch (error) {
    const { code = "" } = error as { code?: string };
    return failed(
      `No connection with TLS to ${hostname}: ${messageOf(error)}.`,
      /UNABLE_TO_(?:VERIFY|GET)/.test(code)
        ? "Serve the whole chain (fullchain.pem), with the certificates between yours and the root."
        : "Look at the certificate of the proxy: its names, its end, its authority; and at port and firewall.",
    );
  }
}

const tls_seconds_max = 10;

/** From when to when the certificate of a host is valid. Rejects if it is not trusted, or there is no connection. */
function timesOfCertificate(host: string, port: number): Promise<{ begins_ms: number; ends_ms: number }> {
  return new Promise((resolve, reject) => {
    const servername = isAddress(host) ? {} : { servername: host };
    const socket = connect({ host, port, timeout: tls_seconds_max * 1000, ...servername }, () => {
      const { valid_from, valid_to } = socket.getPeerCertificate();
      resolve({ begins_ms: Date.parse(valid_from), ends_ms: Date.parse(valid_to) });
      socket.end();
    });
    socket.on("timeout", () => socket.destroy(new Error("no answer in time")));
    socket.on("error", reject);
  });
}
