/** Runs the service: opens the storage, builds the app, listens, and stops cleanly. */

import { service_errors } from "../core/service_errors.ts";
import { adminSocketPath, listenOnAdminSocket } from "./admin_socket.ts";
import { createApp, type App } from "./app.ts";
import type { Clock } from "../core/clock.ts";
import { ServiceError } from "../core/errors.ts";
import type { FeatureSet } from "./features.ts";
import { addressesOf, hostInUrl } from "./listen_addresses.ts";
import type { Config } from "../core/settings.ts";
import { web_limits } from "../web/limits.ts";
import type { Log } from "../core/log.ts";
import { openStorage, type AppStorage } from "./storage.ts";
import type { Random } from "../core/random.ts";
import type { Ingress } from "../web/ingress.ts";
import { problemResponse } from "../web/problems.ts";

export interface ServeDeps {
  clock: Clock;
  random: Random;
  log: Log;
  /**
   * Resolves when connections may be closed after a stop has begun. Until then, requests are answered with
   * `Connection: close`: a client may have opened a connection whose request has not arrived yet.
   */
  linger?(): Promise<void>;
  /** Replaces the SQLite storage in `data_dir`. */
  storage?: AppStorage;
  /** Replaces the features of the service. */
  features?: FeatureSet;
}

export interface Service {
  /** The URL of the configured host and port. */
  url: string;
  /** All URLs that reach the service, loopback first. */
  urls: string[];
  /** Numbers of open streams and waits. */
  open: App["open"];
  /** Starts threads early that would otherwise start at first use, when file descriptors may have run out. */
  prepare(): void;
  /** Ends waits and streams, answers requests in progress, closes the storage. */
  stop(): Promise<void>;
}

/** How long requests in progress may take after a stop before their connections are cut. */
const grace_seconds = 8;

/** Wraps `answer` so that each connection closes after its response (RFC 9112, section 9.6). */
const closing =
  (answer: Ingress): Ingress =>
  async (request) => {
    const response = await answer(request);
    response.headers.set("connection", "close");
    return response;
  };

/** Starts the service. Throws a user-facing error if the port or the data directory is unavailable. */
export async function serve(config: Config, deps: ServeDeps): Promise<Service> {
  const { clock, log } = deps;
  const disk = { max_bytes: config.disk_max_bytes, min_free_bytes: config.disk_min_free_bytes };
  const storage = deps.storage ?? (await openStorage(config.data_dir, clock, log, disk, config.moved));
  try {
    const origin = () => `http://${hostInUrl(config.host)}:${server.port}`;
    const app = await createApp({
      ...deps,
      config,
      storage,
      origin,
      peer: (request) => server.requestIP(request)?.address ?? "unknown",
      setIdleSeconds: (request, seconds) => server.timeout(request, seconds),
    });
    let answer = app.fetch;
    const server = listen(config, (request) => answer(request), log);
    const socket_path = adminSocketPath(config);
    const socket = socket_path === null ? null : listenOnAdminSocket(socket_path, app.fetchForOwner, log);
    app.start();
    return {
      url: origin(),
      urls: addressesOf(config.host, server.port!),
      open: app.open,
      prepare: () => storage.prepare(),
      async stop() {
        app.close();
        answer = closing(app.fetch);
        await deps.linger?.();
        const cut = clock.after(grace_seconds * 1000, () => {
          void server.stop(true);
          void socket?.stop(true);
        });
        await Promise.all([server.stop(), socket?.stop()]);
        cut();
        await storage.close();
      },
    };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

/** Listens on the host and port of `config`. Throws a user-facing error if that is not possible. */
export function listen(
  config: Pick<Config, "host" | "port">,
  fetch: (request: Request) => Promise<Response>,
  log: Log,
): Bun.Server<undefined> {
  try {
    return Bun.serve({
      hostname: config.host,
      port: config.port,
      // A second process must not be able to listen on the same port.
      reusePort: false,
      // Cuts requests that arrive too slowly: Bun counts from the first byte.
      idleTimeout: web_limits.idle_seconds_max,
      // The ingress limits bodies and answers with a problem; Bun's own limit would answer with an empty body.
      maxRequestBodySize: 2 ** 40,
      // Bun's error page would show paths and stack traces.
      development: false,
      fetch,
      // The ingress handles errors of routes. For an error in the ingress itself Bun would print the request target.
      error(error) {
        log.error("gate.failed", { error: error.name });
        return problemResponse(
          new ServiceError(service_errors.internal, "Something broke on our side; it has been logged."),
          "",
        );
      },
    });
  } catch (error) {
    const code = (error as { code?: string }).code;
    if (code !== "EADDRINUSE" && code !== "EACCES" && code !== "EADDRNOTAVAIL") throw error;
    const reason = {
      EADDRINUSE: "is taken",
      EACCES: "may not be opened",
      EADDRNOTAVAIL: "is not this machine's",
    };
    throw new Error(
      `${config.host}:${config.port} ${reason[code]}. Start with another --port (0 lets the system choose) or --host.`,
      { cause: error },
    );
  }
}
