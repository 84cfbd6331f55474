/** Runs the service: opens the storage, builds the app, listens, and stops without losing anything. */

import { createApp, type App } from "./app.ts";
import type { Clock } from "../core/clock.ts";
import { ServiceError } from "../core/errors.ts";
import { addressesOf, hostInUrl } from "./listen_addresses.ts";
import type { Config } from "../core/settings.ts";
import { limits } from "../core/limits.ts";
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
   * Resolves when connections may be closed after a stop has begun. Until then requests are answered, with
   * `Connection: close`: of a connection that has been opened the request may still be on its way.
   */
  linger?(): Promise<void>;
  /** Another storage than the SQLite file in `data_dir`. */
  storage?: AppStorage;
}

export interface Service {
  /** The address that it listens at. */
  url: string;
  /** The addresses that reach it, on this machine first. */
  urls: string[];
  /** How many streams and waits are open. */
  open: App["open"];
  /** Starts the threads that would start when they are first needed, while there are file descriptors for them. */
  prepare(): void;
  /** Ends waits and streams, answers what is under way, closes the storage. */
  stop(): Promise<void>;
}

/** Seconds that requests under way are given to end before their connections are cut. */
const grace_seconds = 8;

/** Answers as `answer` does and has the connection closed afterwards (RFC 9112, section 9.6). */
const closing =
  (answer: Ingress): Ingress =>
  async (request) => {
    const response = await answer(request);
    response.headers.set("connection", "close");
    return response;
  };

/** Starts the service. Throws an error for people when the port or the data directory cannot be had. */
export async function serve(config: Config, deps: ServeDeps): Promise<Service> {
  const { clock, log } = deps;
  const disk = { max_bytes: config.disk_max_bytes, min_free_bytes: config.disk_min_free_bytes };
  const storage = deps.storage ?? (await openStorage(config.data_dir, clock, log, disk));
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
        const cut = clock.after(grace_seconds * 1000, () => void server.stop(true));
        await server.stop();
        cut();
        await storage.close();
      },
    };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

function listen(
  config: Config,
  fetch: (request: Request) => Promise<Response>,
  log: Log,
): Bun.Server<undefined> {
  try {
    return Bun.serve({
      hostname: config.host,
      port: config.port,
      // A second process must not take the same port silently.
      reusePort: false,
      // Requests that are half sent, or sent byte by byte, are cut: Bun counts from their beginning.
      idleTimeout: limits.idle_seconds_max,
      // Bodies are bounded by the ingress, which can say so; this bound answers with an empty body.
      maxRequestBodySize: 2 ** 40,
      // Bun's own page of an error shows where the program lies and what it was doing.
      development: false,
      fetch,
      // The ingress answers whatever a route throws. For what the ingress throws itself, Bun would print the request's target.
      error(error) {
        log.error("gate.failed", { error: error.name });
        return problemResponse(
          new ServiceError("internal", "Something broke on our side; it has been logged."),
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
