/** Runs the service of development: listens, and gives each request to the calls below /_dev or to the app. */

import { mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hostInUrl, isWildcard } from "../app/browser_urls.ts";
import { listen } from "../app/bun_server.ts";
import { systemClock } from "../core/clock.ts";
import { createLog } from "../core/log.ts";
import { systemRandom } from "../core/random.ts";
import type { Config } from "../core/settings.ts";
import { createIdleTimeout } from "../web/idle_timeout.ts";
import { createOriginRules } from "../web/origin_rules.ts";
import { createRequestOrigin } from "../web/request_origin.ts";
import { createControls } from "./controls.ts";
import { createInstance } from "./instance.ts";
import { seededRandom } from "./random.ts";
import { createFaults } from "./faults.ts";
import { createRequestLog } from "./request_log.ts";
import { createRouteTable } from "./route_table.ts";
import { createSnapshots } from "./snapshots.ts";
import { createTraffic } from "./traffic.ts";
import { createDevRoutes, isForDev } from "./routes.ts";

export interface DevOptions {
  config: Config;
  /** Whether the data is in memory; otherwise in a new directory. */
  in_memory: boolean;
  seed: number;
  /** The time at the start in unix milliseconds. */
  at_ms: number;
  is_frozen: boolean;
  /** Writes a line of the log. */
  writeLog(line: string): void;
}

export interface DevService {
  url: string;
  /** Null if the data is in memory. */
  data_dir: string | null;
  /** Ends streams and waits, cuts the connections, and deletes the data. */
  stop(): Promise<void>;
  /** Deletes the data, before the process ends without a stop. */
  removeData(): void;
}

/** The settings of development: nothing is limited, links follow the Host header, and the name in --host is served. */
const developmentOf = (config: Config, data_dir: string): Config => ({
  ...config,
  data_dir,
  rate_limit: false,
  disk_max_bytes: 0,
  disk_min_free_bytes: 0,
  base_url: null,
  backup_every_seconds: 0,
  allowed_hosts: [...config.allowed_hosts, hostInUrl(config.host)],
});

/**
 * Starts the service. It answers requests as soon as its state at the start is saved. Throws a user-facing error if the port
 * is unavailable.
 */
export async function serveDevelopment(options: DevOptions): Promise<DevService> {
  const { in_memory, seed, at_ms, is_frozen, writeLog } = options;
  // In memory, only a backup creates the directory.
  const directory = join(tmpdir(), `wharf-dev-${systemRandom.bytes(8).toHex()}`);
  const data_dir = in_memory ? null : directory;
  const removeData = () => rmSync(directory, { recursive: true, force: true });
  if (data_dir !== null) mkdirSync(data_dir, { mode: 0o700 });
  const config = developmentOf(options.config, directory);
  const log = createLog(systemClock, config.log_level, writeLog, config.log_format);
  const origin = () => `http://${hostInUrl(config.host)}:${server.port}`;
  const clock = { now_ms: at_ms, is_frozen };
  const setIdleSeconds = (request: Request, seconds: number) => server.timeout(request, seconds);
  const idle = createIdleTimeout(setIdleSeconds);
  const peer = (request: Request) => server.requestIP(request)?.address ?? "unknown";
  const instance = await createInstance(
    {
      config,
      in_memory,
      writeLog,
      origin,
      urls: () => [origin()],
      peer,
      setIdleSeconds,
      request_id_prefix: seededRandom(seed).bytes(8).toHex(),
    },
    { clock, random: seededRandom(seed).state() },
  );
  const routes = createRouteTable(instance.routes);
  const requests = createRequestLog();
  const faults = createFaults(routes);
  const snapshots = createSnapshots(instance);
  const request_origin = createRequestOrigin(config, peer, log, isWildcard(config.host));
  const origins = createOriginRules({ base_url: null, allowed_origins: [], is_development: true });
  // Requests come after it. Until it is saved, a clock that runs has run on.
  const start = instance.save().then((saved) => ({ ...saved, clock }));
  const controls = createControls({
    instance,
    log: requests,
    faults,
    snapshots,
    seed,
    data_dir,
    at_ms,
    start,
  });
  const checks = { origins, request_origin };
  const answerDev = createDevRoutes({ controls, routes, requests, faults, snapshots, ...checks, log });
  const answerOthers = createTraffic({
    instance,
    routes,
    log: requests,
    faults,
    origins,
    idle,
    setIdleSeconds,
  });

  async function controlled(request: Request): Promise<Response> {
    // An advance may take longer than a connection may be idle.
    idle.lift(request);
    const response = await answerDev(request);
    idle.restore(request);
    return response;
  }

  async function answer(request: Request): Promise<Response> {
    const response = await (isForDev(request) ? controlled(request) : answerOthers(request));
    // Otherwise Bun says the machine's time.
    response.headers.set("date", new Date(instance.clock().now_ms).toUTCString());
    return response;
  }

  let server: Bun.Server<undefined>;
  try {
    server = listen(config, answer, log);
  } catch (error) {
    await instance.close();
    removeData();
    throw error;
  }
  return {
    url: origin(),
    data_dir,
    async stop() {
      await instance.close();
      await server.stop(true);
      removeData();
    },
    removeData,
  };
}
