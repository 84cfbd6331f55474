/** The certificate for TLS: reads its files and checks that they can be used. */

import { createPrivateKey, X509Certificate, type KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import { withReason } from "../core/log.ts";
import type { Config } from "../core/settings.ts";

export interface Certificate {
  /** The certificate, and those that lead to a root, in PEM. */
  cert: string;
  /** Its private key in PEM. */
  key: string;
  /** From when to when it is valid, in unix milliseconds. */
  begins_ms: number;
  ends_ms: number;
}

/** Certificates of Let's Encrypt are renewed 30 days before their end; one with less than this left has been forgotten. */
const warned_before_ms = 7 * 86_400_000;

/**
 * Reads the files of `--tls-cert` and `--tls-key`; null if neither is set. Throws a user-facing error if one is missing or cannot be
 * read, or if they do not belong together.
 */
export function readCertificate({
  tls_cert,
  tls_key,
}: Pick<Config, "tls_cert" | "tls_key">): Certificate | null {
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
  return {
    cert,
    key,
    begins_ms: Date.parse(certificate.validFrom),
    ends_ms: Date.parse(certificate.validTo),
  };
}

/** The fault in the times of a certificate; null if it is valid now, and for long enough. */
export function faultOfTime(
  { begins_ms, ends_ms }: Certificate,
  now_ms: number,
): { is_valid: boolean; found: string; remedy: string } | null {
  if (begins_ms > now_ms)
    return { is_valid: false, found: "It is not valid yet.", remedy: "Check the clock of this machine." };
  const remedy = "Renew it, and send SIGHUP to the service.";
  if (ends_ms <= now_ms) return { is_valid: false, found: "It has expired: clients refuse it.", remedy };
  if (ends_ms <= now_ms + warned_before_ms) return { is_valid: true, found: "It expires soon.", remedy };
  return null;
}

function read(flag: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw withReason(`${flag} ${path} cannot be read`, error);
  }
}

function parsed<Value>(fault: string, parse: () => Value): Value {
  try {
    return parse();
  } catch (error) {
    const { code } = error as { code?: string };
    throw new Error(`${fault}${code === undefined ? "" : ` (${code})`}.`, { cause: error });
  }
}
