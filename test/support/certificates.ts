/** Certificates for tests, made by openssl: self-signed or signed by another one, by default for localhost and 127.0.0.1. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "node:tls";

export interface TestCertificate {
  cert: string;
  key: string;
  /** The settings that use it. */
  settings: { tls_cert: string; tls_key: string };
  /** Its PEM, by which a client trusts it. */
  pem: string;
}

/**
 * Makes a certificate with the common name `name` in files of that name in `directory`, valid for `days` from now and for
 * `hosts`. It signs itself if no `authority` is given.
 */
export function makeCertificate(
  directory: string,
  name: string,
  days = 90,
  hosts = "DNS:localhost,DNS:wharf.example,IP:127.0.0.1",
  authority?: TestCertificate,
): TestCertificate {
  const [cert, key] = [join(directory, `${name}.crt`), join(directory, `${name}.key`)];
  const { success, stderr } = Bun.spawnSync([
    ...["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"],
    ...["-keyout", key, "-out", cert, "-days", String(days), "-subj", `/CN=${name}`],
    ...["-addext", `subjectAltName=${hosts}`],
    ...(authority
      ? ["-CA", authority.cert, "-CAkey", authority.key, "-addext", "basicConstraints=CA:FALSE"]
      : []),
  ]);
  if (!success) throw new Error(stderr.toString());
  return { cert, key, settings: { tls_cert: cert, tls_key: key }, pem: readFileSync(cert, "utf8") };
}

/** The common name of the certificate that a new connection to `url` gets. */
export function presentedName(url: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false }, () => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    });
    socket.on("error", reject);
  });
}
