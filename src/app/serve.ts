/** Runs the service: opens the storage, builds the app, listens, and stops cleanly. */

import { resolve } from "node:path";
import { adminSocketPath, listenOnAdminSocket } from "./admin_socket.ts";
import type { App } from "./app.ts";
import type { Clock } from "../core/clock.ts";
import type { FeatureSet } from "./features.ts";
import type { Meter } from "../core/meter.ts";
import type { Config } from "../core/settings.ts";
import { belowBasePath } from "../web/base_path.ts";
import { lockDirectory } from "../storage/sqlite/lock.ts";
import { openStorageOf, type AppStorage } from "./storage.ts";
import type { Runtime } from "../core/runtime.ts";

interface ServeDeps extends Runtime {
  /**
   * Resolves when connections may be closed after a stop has begun. Until then, requests are answered with
   * `Connection: close`: a client may have opened a connection whose request has not arrived yet.
   */
  linger?(): Promise<void>;
  /** Whether the clock is the machine's, which follows the clock of the database. */
  follows_database?: boolean;
  /** The listening socket that the service manager has passed. */
  passed_fd?: number | null;
  /** Replaces the SQLite storage in `data_dir`. */
  storage?: AppStorage;
  /** Replaces the features of the service. */
  features?: FeatureSet;
  /** The IP addresses of the host names that strangers name; those of the system if absent. */
  lookup?: (host: string) => Promise<readonly string[]>;
  /** Times messages between the nodes of the database; real time by default. */
  node_clock?: Clock;
}

export interface Service {
  /** The URL of the configured host and port, or of the socket. */
  url: string;
  /** All URLs that reach the service, loopback first; `unix:` and the path of a unix socket. */
  urls: string[];
  /** Numbers of open streams and waits. */
  open: App["open"];
  /** Reserves what threads need that start at first use, when file descriptors may have run out. */
  prepare(): void;
  /** Reads the certificate again. Logs why not if that is not possible, and keeps the one that it has. */
  reload(): void;
  /** Resolves if a write reaches the disk, or is refused. */
  isWorking(): Promise<unknown>;
  /** Ends waits and streams, answers requests in progress, closes the storage. */
  stop(): Promise<void>;
}

/** How long requests in progress may take after a stop before their connections are cut. */
const grace_seconds = 8;

/**
 * Starts the service. Throws a user-facing error if the port, the socket or the data directory is unavailable, or the certificate
 * cannot be used.
 */
export async function serve(
  config: Config,
  deps: ServeDeps,
): Promise<Service & { metrics_url: string | null }> {
  const { metrics_listen } = config;
  const metrics =
    metrics_listen === null
      ? null
      : (await import("./metrics/metrics.ts")).startMetrics(metrics_listen, deps.clock, deps.log);
  try {
    const service = await serveMeasured(config, deps, metrics?.meter);
    return {
      ...service,
      metrics_url: metrics?.url ?? null,
      async stop() {
        await service.stop();
        await metrics?.stop();
      },
    };
  } catch (error) {
    await metrics?.stop();
    throw error;
  }
}

async function serveMeasured(config: Config, deps: ServeDeps, meter?: Meter): Promise<Service> {
  // SQLite locks the directory itself, also for commands that need no service.
  const needs_lock = deps.storage === undefined && config.database !== null;
  const unlock = needs_lock ? lockDirectory(config.data_dir) : () => {};
  try {
    const service = await serveLocked(config, deps, meter);
    return {
      ...service,
      async stop() {
        await service.stop();
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** The same URL for a process in another folder. */
const withWholePath = (url: string): string =>
  url.startsWith("unix:") ? `unix:${resolve(url.slice("unix:".length))}` : url;

async function serveLocked(config: Config, deps: ServeDeps, meter?: Meter): Promise<Service> {
  const { clock, log } = deps;
  const disk = { max_bytes: config.disk_max_bytes, min_free_bytes: config.disk_min_free_bytes };
  const opening = deps.storage ?? openStorageOf(config, { clock, log, ...(meter && { meter }) }, disk);
  // Load the rest while the writer thread opens the database.
  const [storage, { createApp }, { openListener }] = await Promise.all([
    opening,
    import("./app.ts"),
    import("./service_listener.ts"),
  ]);
  const offset = deps.follows_database && storage.clockOffset;
  const clock_of_all = offset ? { ...clock, now: () => clock.now() + offset() } : clock;
  try {
    const app = await createApp({
      ...deps,
      clock: clock_of_all,
      follows_database: offset !== undefined && offset !== false,
      config,
      storage,
      ...(meter && { meter }),
      origin: () => listener.origin,
      urls: () => listener.urls.map(withWholePath),
      peer: (request) => listener.peer(request),
      setIdleSeconds: (request, seconds) => listener.setIdleSeconds(request, seconds),
    });
    const answer = belowBasePath(config.base_url, app.routes, app.fetch);
    const listener = await openListener(config, deps, answer);
    const socket_path = adminSocketPath(config);
    const socket = socket_path === null ? null : listenOnAdminSocket(socket_path, app.fetchForOwner, log);
    app.start();
    return {
      url: listener.origin,
      urls: listener.urls,
      open: app.open,
      prepare: () => storage.prepare(),
      reload: () => listener.reload(),
      isWorking: () => storage.health(),
      async stop() {
        app.close();
        listener.closeConnections();
        await deps.linger?.();
        const cut = clock.after(grace_seconds * 1000, () => {
          void listener.stop(true);
          void socket?.stop(true);
        });
        await Promise.all([listener.stop(), socket?.stop()]);
        cut();
        await storage.close();
      },
    };
  } catch (error) {
    await storage.close();
    throw error;
  }
}
