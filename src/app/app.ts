/** The map of the house: which features there are, what each is given, and the doors that lead to them. */

import { Elysia } from "elysia";
import { createBeacon } from "../beacon/beacon.ts";
import { beaconHttp } from "../beacon/routes.ts";
import { Changes } from "../core/watch.ts";
import type { Clock } from "../core/clock.ts";
import { createCommandRunner } from "../core/commands.ts";
import { error_catalog } from "./error_catalog.ts";
import { command_definitions, search_definitions } from "./commands.ts";
import type { Config } from "../core/settings.ts";
import { guideHttp } from "../discovery/routes.ts";
import { createIdempotency } from "../core/idempotency.ts";
import { jobsHttp } from "../jobs/routes.ts";
import { createJobs } from "../jobs/jobs.ts";
import { jobsPages } from "../jobs/pages.ts";
import { lockerHttp } from "../locker/routes.ts";
import { createLockers } from "../locker/locker.ts";
import { errorText, type Log } from "../core/log.ts";
import { createAppMcp } from "./mcp.ts";
import { mailboxHttp } from "../mailbox/routes.ts";
import { createMailboxes } from "../mailbox/mailbox.ts";
import type { AppStorage } from "./storage.ts";
import { canonicalName } from "../names/canonical.ts";
import { namesHttp } from "../names/routes.ts";
import { createNames, identityOf } from "../names/names.ts";
import type { Random } from "../core/random.ts";
import { receiptsHttp } from "../receipts/routes.ts";
import { createReceipts } from "../receipts/receipts.ts";
import { docs } from "../rooms/openapi.ts";
import { roomsHttp } from "../rooms/routes.ts";
import { roomsPages } from "../rooms/pages.ts";
import { createRooms } from "../rooms/rooms.ts";
import { createSearchRunner } from "../core/search.ts";
import { createServiceClock } from "../timekeeping/service_clock.ts";
import { createSessions } from "../mcp/sessions/sessions.ts";
import { wasAnswered } from "../storage/idempotency.ts";
import { readServerSecret } from "../storage/server_secret.ts";
import { createRateLimiter, type OpenKind } from "../core/rate_limit/rate_limit.ts";
import { createAccess, type AccessDeps } from "../web/access.ts";
import { createAnswerCache } from "../web/answer_cache.ts";
import { BodyStreams } from "../web/body_streams.ts";
import { createCallerAddress } from "../web/caller_address.ts";
import { credentialOf } from "../web/credential.ts";
import { createRequestOrigin } from "../web/request_origin.ts";
import { EventStreams } from "../web/sse/streams.ts";
import { failureOf } from "../web/error_handler.ts";
import { createIngress, type Ingress } from "../web/ingress.ts";
import type { Http } from "../web/context.ts";
import { createIdleTimeout } from "../web/idle_timeout.ts";
import { createOriginRules } from "../web/origin_rules.ts";
import { mcpRoutes } from "../mcp/routes.ts";
import { createOpenRequests } from "../web/open_requests.ts";
import { createIdempotencyKeys } from "../web/idempotency.ts";
import { failureAnswer } from "./failure_answer.ts";
import { readinessResponse, readyz_doc } from "../web/readiness.ts";
import { createRefusalDelay } from "../web/refusal_delay.ts";
import { createQueryCheck } from "../web/query_fields.ts";
import { createRoutes, type Routes } from "../web/allowed_methods.ts";

export interface AppDeps {
  config: Config;
  storage: AppStorage;
  /** The clocks of the machine. */
  clock: Clock;
  random: Random;
  log: Log;
  /** Where the service listens, once it does. */
  origin(): string;
  /** The address at the other end of a request's connection. */
  peer(request: Request): string;
  /** Sets how long the connection of a request may be idle from now on; 0: for ever. */
  setIdleSeconds(request: Request, seconds: number): void;
}

export interface App {
  /** Answers a request. */
  fetch: Ingress;
  routes: readonly { method: string; path: string }[];
  /** How many streams, waits and large bodies are on their way, and how many subscriptions there are to MCP resources. */
  open(): { streams: number; waits: number; subscriptions: number; bodies: number };
  /** Begins what runs by itself, once the service can be reached. */
  start(): void;
  /** Ends every wait and every stream; requests that wait are answered. */
  close(): void;
}

/** The server's secret, made at the first start. */
const serverSecret = async (storage: AppStorage, random: Random): Promise<string> =>
  (await storage.read(readServerSecret)) ??
  (await storage.write("server.keep_secret", { secret: random.bytes(32).toHex() })).result;

/** Builds the house over an open storage, and brings up to date what fell due while it was closed. */
export async function createApp(deps: AppDeps): Promise<App> {
  const { config, storage, random, log, origin, peer } = deps;
  const clock = await createServiceClock({ ...deps, trust_clock: config.trust_clock });
  const changes = new Changes(clock);
  const streams = new EventStreams(clock, (error) => log.error("stream.failed", { error: String(error) }));
  const cache = createAnswerCache();
  storage.onChange((subject) => {
    cache.invalidate(subject);
    changes.announce(subject);
    streams.announce(subject);
  });

  const limiter = createRateLimiter(config, clock);
  const commands = createCommandRunner(command_definitions, storage, limiter);
  const names = createNames({ storage, commands, clock, random });
  const search = createSearchRunner({ definitions: search_definitions, storage, limiter, clock });
  const rooms = createRooms({ storage, commands, search, changes, clock, random });
  const lockers = createLockers({ storage, commands, clock, random, identityOf, canonicalName });
  /** What everything signed names as its `iss`. */
  const issuer = () => config.base_url ?? origin();
  const receipts = await createReceipts(storage, clock, random, issuer);
  const jobs = createJobs({
    storage,
    commands,
    search,
    clock,
    random,
    receipts,
    log,
    held_jobs_max: config.held_jobs_by_name,
    identityOf,
    canonicalName,
  });
  const mailboxes = createMailboxes({ storage, commands, changes, clock, identityOf, settle: jobs.settle });
  await jobs.settle();
  const beacon = await createBeacon({
    storage,
    // The clocks of the machine: the beacon trusts them less than anybody else.
    clock: deps.clock,
    random,
    log,
    round_seconds: config.round_seconds,
    trust_clock: config.trust_clock,
    sign: receipts.sign,
    issuer,
  });

  const idle = createIdleTimeout(deps.setIdleSeconds);
  const bodies = new BodyStreams(clock, idle, (error) =>
    log.error("body.failed", { error: errorText(error) }),
  );
  const request_origin = createRequestOrigin(config, peer, log);
  const origins = createOriginRules(config);
  const addresses = createCallerAddress(request_origin.address);
  const countOpen = (request: Request, kind: OpenKind) => limiter.open(addresses.of(request), kind);
  const server_secret = await serverSecret(storage, random);
  const authenticate: AccessDeps["authenticate"] = async (request, credential) =>
    names.authenticate(() => addresses.of(request), credentialOf(request, credential));
  const idempotency = createIdempotencyKeys({
    idempotency: createIdempotency(server_secret, clock),
    callerOf: authenticate,
    formerCallerOf: (request) => names.authenticateFormer(() => addresses.of(request), credentialOf(request)),
    wasAnswered: (once) => storage.read((tx) => wasAnswered(tx, once)),
  });
  const { access, checkNeeds } = createAccess({
    authenticate,
    base: request_origin.base,
    identityOf,
    idempotency,
  });
  const http: Http = {
    access,
    origins,
    cache,
    streams,
    clock,
    log,
    idempotency,
    open: createOpenRequests(countOpen, idle),
  };

  const mcp = createAppMcp({
    rooms,
    names,
    lockers,
    jobs,
    mailboxes,
    beacon,
    receipts,
    sessions: createSessions({
      storage,
      commands,
      clock,
      random,
      quotaOf: limiter.sessions,
      server_secret,
    }),
    limiter,
    clock,
    random,
    log,
  });
  storage.onChange((subject) => mcp.door.announce(subject));

  let routes: Routes = { methods: () => [] };
  const onError = (code: string | number, error: unknown, request: Request) =>
    failureAnswer(failureOf(code, error, request, routes, log), request, request_origin.base(request));

  const checkQuery = createQueryCheck(() => app.routes);
  // Elysia's copying of what was sent, without unknown fields, fails at a parameter of the name `*` and says so on the
  // console. It is not needed: operations take the fields that they know.
  const app = new Elysia({ name: "wharf", normalize: false, handler: { standardHostname: false } })
    .onError(({ code, error, request }) => onError(code, error, request))
    .onTransform(({ request, route, set }) => checkQuery({ request, route, set }))
    .use(access)
    .get("/healthz", () => Response.json({ status: "ok" }, { headers: { "cache-control": "no-store" } }), {
      needs: "public",
      ...docs.healthz,
    })
    .get("/readyz", async () => readinessResponse(await storage.health()), { needs: "public", ...readyz_doc })
    .use(roomsHttp(rooms, receipts, http))
    .use(roomsPages(rooms, http))
    .use(namesHttp(names, receipts, http))
    .use(lockerHttp(lockers, http))
    .use(beaconHttp(beacon, http))
    .use(jobsHttp(jobs, http))
    .use(jobsPages(jobs, http))
    .use(mailboxHttp(mailboxes, http))
    .use(receiptsHttp(receipts, http))
    .use(mcpRoutes(mcp.door, { access, idle, countOpen }));
  const whole = app.use(
    guideHttp({ whole: () => app, rooms, mcpAt: mcp.at, usage: config, errors: error_catalog }, http),
  );
  checkNeeds(whole.routes);
  routes = createRoutes(whole);

  return {
    routes: whole.routes,
    fetch: createIngress({
      admit: (request) => (config.rate_limit ? limiter.admit(addresses.of(request)) : null),
      addresses,
      delayRefusal: createRefusalDelay(limiter.isPersistent, clock),
      app: whole,
      routes,
      request_origin,
      origins,
      idle,
      bodies,
      onError: (error, request) => onError("UNKNOWN", error, request),
    }),
    open: () => ({
      streams: streams.open_streams,
      waits: changes.waiting,
      subscriptions: mcp.door.subscriptions(),
      bodies: bodies.open_bodies,
    }),
    start() {
      clock.start();
      beacon.start();
    },
    close() {
      beacon.close();
      jobs.close();
      changes.close();
      streams.close();
      bodies.close();
      mcp.door.close();
      clock.close();
    },
  };
}
