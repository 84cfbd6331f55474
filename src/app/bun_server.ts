/** Starts servers of Bun, and says in words for users why one cannot listen. */

import { ServiceError } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import { service_errors } from "../core/general_errors.ts";
import { web_limits } from "../web/limits.ts";
import { problemResponse } from "../web/problems.ts";
import type { Certificate } from "./certificate.ts";

/** A host and a port, or the path of a unix socket. */
export type Place = { host: string; port: number } | { unix: string };

/** Listens at `place`, with TLS if there is a certificate. Throws a user-facing error if that is not possible. */
export function listen(
  place: Place,
  fetch: (request: Request) => Promise<Response>,
  log: Log,
  tls: Certificate | null = null,
): Bun.Server<undefined> {
  const options = {
    // The ingress limits bodies and answers with a problem; Bun's own limit would answer with an empty body.
    maxRequestBodySize: 2 ** 40,
    // Bun's error page would show paths and stack traces.
    development: false,
    fetch,
    // The ingress handles errors of routes. For an error in the ingress itself Bun would print the request target.
    error(error: Error) {
      log.error("gate.failed", { error: error.name });
      return problemResponse(
        new ServiceError(service_errors.internal, "Something broke on our side; it has been logged."),
        "",
      );
    },
  } as const;
  try {
    // A second process must not be able to listen on the same port.
    if ("host" in place) {
      const { host: hostname, port } = place;
      // Cuts requests that arrive too slowly: Bun counts from the first byte.
      const idleTimeout = web_limits.idle_seconds_max;
      return Bun.serve({ ...options, hostname, port, idleTimeout, reusePort: false, ...(tls && { tls }) });
    }
    const on_socket = { ...options, unix: place.unix };
    // Bun cannot suspend the timeout of a request there, which would cut waits and streams. Only programs of this machine, as a proxy,
    // can keep a connection open for nothing. Bun's types do not know the option here.
    return Bun.serve({ ...on_socket, idleTimeout: 0 } as typeof on_socket);
  } catch (error) {
    const code = (error as { code?: string }).code;
    if (code !== "EADDRINUSE" && code !== "EACCES" && code !== "EADDRNOTAVAIL") throw error;
    const reason = {
      EADDRINUSE: "is taken",
      EACCES: "may not be opened",
      EADDRNOTAVAIL: "is not this machine's",
    }[code];
    const message =
      "host" in place
        ? `${place.host}:${place.port} ${reason}. Start with another --port (0 lets the system choose) or --host.`
        : `${place.unix} ${reason}. Start with another --socket.`;
    throw new Error(message, { cause: error });
  }
}
