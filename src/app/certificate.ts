/** The certificate for TLS: reads its files and checks that they can be used. */

import { createPrivateKey, X509Certificate, type KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Log } from "../core/log.ts";
import type { Config } from "../core/settings.ts";

/** In the form of PEM. */
export interface Certificate {
  /** The certificate, and those that lead to a root. */
  cert: string;
  key: string;
}

/** Certificates of Let's Encrypt are renewed 30 days before their end; one with less than this left has been forgotten. */
const warned_before_ms = 7 * 86_400_000;

/**
 * Reads the files of `--tls-cert` and `--tls-key`; null if neither is set. Throws a user-facing error if one is missing or cannot be
 * read, or if they do not belong together. Warns of a certificate that is not valid now, or not for long.
 */
export function readCertificate(
  { tls_cert, tls_key }: Pick<Config, "tls_cert" | "tls_key">,
  now_ms: number,
  log: Log,
): Certificate | null {
  if (tls_cert === null && tls_key === null) return null;
  if (tls_cert === null) throw new Error("--tls-key needs --tls-cert, too: the file of its certificate.");
  if (tls_key === null) throw new Error("--tls-cert needs --tls-key, too: the file of its private key.");
  const [cert, key] = [read("--tls-cert", tls_cert), read("--tls-key", tls_key)];
  const certificate = parsed(
    `--tls-cert ${tls_cert} has no certificate in PEM`,
    () => new X509Certificate(cert),
  );
  const private_key = parsed<KeyObject>(
    `--tls-key ${tls_key} has no private key in PEM, or one with a passphrase`,
    () => createPrivateKey(key),
  );
  if (!certificate.checkPrivateKey(private_key)) {
    throw new Error(`--tls-key ${tls_key} is not the key of the certificate in ${tls_cert}.`);
  }
  const [begins, ends] = [certificate.validFrom, certificate.validTo];
  const warn = (hint: string) => log.warn("tls.certificate", { file: tls_cert, begins, ends, hint });
  if (Date.parse(begins) > now_ms) warn("It is not valid yet. Is the clock of this machine right?");
  else if (Date.parse(ends) <= now_ms) warn("It has expired: clients refuse it. Renew it and send SIGHUP.");
  else if (Date.parse(ends) <= now_ms + warned_before_ms) warn("It expires soon. Renew it and send SIGHUP.");
  return { cert, key };
}

function read(flag: string, path: string): string {
  return parsed(`${flag} ${path} cannot be read`, () => readFileSync(path, "utf8"));
}

function parsed<Value>(fault: string, parse: () => Value): Value {
  try {
    return parse();
  } catch (error) {
    const { code } = error as { code?: string };
    throw new Error(`${fault}${code === undefined ? "" : ` (${code})`}.`, { cause: error });
  }
}
