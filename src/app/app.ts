/** Composes the service: its features, what they share, and the transports that lead to them. */

import { systemClock, type Clock } from "../core/clock.ts";
import { createAuthentication } from "./authentication.ts";
import { createCommandRunner } from "../core/commands.ts";
import type { Config } from "../core/settings.ts";
import type { ErrorDefinition } from "../core/error_definition.ts";
import { createIdempotency } from "../core/idempotency.ts";
import { errorText } from "../core/log.ts";
import { no_meter, type Meter } from "../core/meter.ts";
import { measureService } from "./metrics/service_metrics.ts";
import type { Listening } from "./service_listener.ts";
import { createAppMcp } from "./mcp.ts";
import type { AppStorage } from "./storage.ts";
import { identityOf } from "../names/names.ts";
import { createSearchRunner } from "../core/search.ts";
import { auditLoss, serverSecret, warnOfPolicy } from "./startup.ts";
import { separateCopy } from "./separation.ts";
import { httpRoutes, navigationOf } from "./routes.ts";
import { Topics } from "../core/topics.ts";
import { Waits } from "../core/waits.ts";
import { createServiceClock } from "../timekeeping/service_clock.ts";
import { createSessions } from "../mcp/sessions/sessions.ts";
import { speakerCheck } from "../core/policy.ts";
import { wasAnswered } from "../storage/idempotency.ts";
import { createRateLimiter } from "../core/rate_limit/rate_limit.ts";
import { SharedUse } from "../core/rate_limit/shared_use.ts";
import { checkNeeds, createAccess } from "../web/access.ts";
import { mountedRoutes, type MountedRoute } from "../web/mounted_routes.ts";
import { dropHome } from "../discovery/home.ts";
import { openApiOf } from "../discovery/openapi.ts";
import { createDirectCalls } from "../web/direct_calls.ts";
import { createAnswerCache } from "../web/answer_cache.ts";
import { BodyStreams } from "../web/body_streams.ts";
import { createCallerAddress } from "../web/caller_address.ts";
import { credentialOf } from "../web/credential.ts";
import { members_only } from "../web/members.ts";
import { factsOf } from "../web/request_facts.ts";
import { observerOf } from "./observer.ts";
import { createRequestIds } from "../web/request_ids.ts";
import { createRepeatedAnswers } from "../web/repeated_answers.ts";
import { createRequestOrigin } from "../web/request_origin.ts";
import { createSites } from "../web/sites.ts";
import { EventStreams } from "../web/sse/streams.ts";
import { failureOf } from "../web/error_handler.ts";
import { createIngress, type Ingress, type IngressDeps } from "../web/ingress.ts";
import { createOwnersIngress } from "../web/owners_ingress.ts";
import { createRenderedTexts } from "./rendered_texts.ts";
import type { Http } from "../web/context.ts";
import { createIdleTimeout } from "../web/idle_timeout.ts";
import { createOriginRules } from "../web/origin_rules.ts";
import { AnswerMemory } from "../web/answer_memory.ts";
import { OpenCalls } from "../core/open_calls.ts";
import { createOpenRequests } from "../web/open_requests.ts";
import { createPresence } from "./presence.ts";
import type { OpenApi } from "../web/openapi/document.ts";
import { createIdempotencyKeys } from "../web/idempotency.ts";
import { createShownOnce } from "../web/shown_once.ts";
import { general_errors } from "./error_catalog.ts";
import { failureAnswer } from "./failure_answer.ts";
import { hintsOfInstance } from "./general_hints.ts";
import { all_features, type FeatureSet } from "./features.ts";
import { isWildcard } from "./browser_urls.ts";
import { createRefusalDelay } from "../web/refusal_delay.ts";
import { createRoutes, type Routes } from "../web/allowed_methods.ts";
import type { Runtime } from "../core/runtime.ts";

export interface AppDeps extends Listening, Runtime {
  config: Config;
  storage: AppStorage;
  /** Whether `clock` follows the clock of a database. */
  follows_database?: boolean;
  /** The clock by which readers of large bodies are too slow, if it is another one. */
  reader_clock?: Clock;
  /** Times messages between the nodes of a database; real time by default, because other nodes run in real time. */
  node_clock?: Clock;
  /** What the ids of requests begin with; 8 random bytes in hex by default. */
  request_id_prefix?: string;
  /** Where the service reports its metrics; nowhere if absent. */
  meter?: Meter;
  /** The IP addresses of the host names that strangers name; those of the system if absent. */
  lookup?: (host: string) => Promise<readonly string[]>;
  /** The features in place of all of them. */
  features?: FeatureSet;
  /** Further errors of calls, for the pages that explain errors. */
  errors?: Record<string, ErrorDefinition>;
  /** The `iss` of signed data; the base URL by default. */
  issuer?: string;
  /** Whether web pages of this machine may call. */
  is_development?: boolean;
}

export interface App {
  /** Answers a request. */
  fetch: Ingress;
  /** Answers a request of the owner: one that came by the socket of the data directory. Serves the admin API only. */
  fetchForOwner: Ingress;
  routes: readonly MountedRoute[];
  /** The OpenAPI document of the service at the address `base`, which has no slash at its end. */
  openApi(base: string): OpenApi;
  /** Counts of open calls. `subscriptions`: one for each wait, topic with streams, and MCP subscription. `bodies`: large answers. */
  open(): { streams: number; waits: number; subscriptions: number; bodies: number; body_bytes: number };
  /** Starts background work, once the service can be reached. */
  start(): void;
  /** Ends every wait and every stream; requests that wait are answered. */
  close(): void;
}

/** Creates the service with an open storage, and brings up to date what fell due while it was stopped. */
export async function createApp(deps: AppDeps): Promise<App> {
  const { config, storage, random, log, origin, urls, peer, meter = no_meter, is_development = false } = deps;
  const clock = await createServiceClock({ ...deps, trust_clock: config.trust_clock });
  const topics = new Topics();
  const waits = new Waits(topics, clock);
  const streams = new EventStreams(topics, clock, (error) =>
    log.error("stream.failed", { error: String(error) }),
  );
  const open_calls = new OpenCalls();
  const { presence, ...sharing } = createPresence(storage, clock, deps.node_clock ?? systemClock, log);
  const cache = createAnswerCache(meter);
  storage.onChange("invalidate", (topic) => cache.invalidate(topic));

  const shared_use = storage.shareUse && config.rate_limit ? new SharedUse(storage, clock, log) : undefined;
  const limiter = createRateLimiter(config, clock, meter, shared_use);
  const { declared, create } = deps.features ?? all_features;
  const commands = createCommandRunner(declared.commands, storage, limiter, speakerCheck(config));
  const search = createSearchRunner({ definitions: declared.searches, storage, limiter, clock });
  await auditLoss(storage, clock);
  await separateCopy(storage, clock, random, log);
  const server_secret = await serverSecret(storage, random);
  const base = () => config.base_url ?? origin();
  const { features, names, rooms, leases, receipts, admins, bans, sessions, tokens, unreadOf } = await create(
    {
      ...deps,
      clock,
      machine_clock: deps.clock,
      meter,
      commands,
      search,
      ...{ waits, open_calls, presence },
      issuer: () => deps.issuer ?? base(),
      ...{ base, server_secret },
    },
  );
  storage.onChange("invalidate", dropHome(features, cache));
  storage.onChange("notify", (topic) => topics.publish(topic));
  const idle = createIdleTimeout(deps.setIdleSeconds);
  const bodies = new BodyStreams(deps.reader_clock ?? clock, idle, (error, request) =>
    log.error("body.failed", { request_id: factsOf(request).id, error: errorText(error) }),
  );
  const request_origin = createRequestOrigin(config, peer, log, !is_development || isWildcard(config.host));
  const origins = createOriginRules({ ...config, is_development });
  const addresses = createCallerAddress(request_origin.address);
  const answer_memory = new AnswerMemory(clock, bodies, addresses);
  /** The requests that came by the socket. */
  const owners = new WeakSet<Request>();
  const members = config.read === "members" ? members_only : null;
  await shared_use?.start(server_secret);
  const { sessionOf, authenticate, authenticateAdmin, isOperator } = createAuthentication({
    ...{ names, sessions, admins, tokens, addresses, owners },
    base: request_origin.base,
  });
  const idempotency = createIdempotency(server_secret, clock);
  const idempotency_keys = createIdempotencyKeys({
    idempotency,
    callerOf: authenticate,
    formerCallerOf: (request) => names.authenticateFormer(() => addresses.of(request), credentialOf(request)),
    wasAnswered: (call) => storage.read((tx) => wasAnswered(tx, call)),
  });
  const { access, resolvers } = createAccess({
    authenticate,
    authenticateAdmin,
    base: (request) => (owners.has(request) ? base() : request_origin.base(request)),
    identityOf,
    ...{ members, oauth: config.oauth },
    idempotency: idempotency_keys,
  });
  const navigation = navigationOf(features, config);
  const sites = createSites({ navigation, base: request_origin.base, sessionOf, unreadOf });
  const direct = createDirectCalls((error, request) => onError("UNKNOWN", error, request));
  const repeated = createRepeatedAnswers(cache, request_origin.base);
  const http: Http = {
    access,
    origins,
    network: () => ({ urls: urls(), ...request_origin.ignored() }),
    policy: config,
    navigation,
    ...sites,
    cache,
    ...{ direct, resolvers, repeated },
    texts: createRenderedTexts(clock, meter),
    ...{ streams, topics, clock, log },
    idempotency: idempotency_keys,
    shown_once: createShownOnce(server_secret, clock, random),
    idle,
    open: createOpenRequests(limiter.open, open_calls, idle, presence),
    memory: answer_memory,
  };

  const hints = hintsOfInstance(declared.hints, config);
  const mcp = createAppMcp({
    features,
    ...{ rooms, leases, receipts },
    idempotency,
    navigation,
    siteOf: sites.siteOf,
    policy: config,
    sessions: createSessions({ storage, commands, clock, random, quotaOf: limiter.sessions, server_secret }),
    topics,
    limiter,
    clock,
    random,
    log,
    meter,
    hints: hints.tool,
  });
  storage.onChange("notify", (topic) => mcp.transport.changed(topic));

  let routes: Routes = { methods: () => [], meant: () => undefined };
  const onError = (code: string | number, error: unknown, request: Request) =>
    failureAnswer(
      failureOf(code, error, request, routes, log),
      request,
      request_origin.base(request),
      // A page also says what broke if it was the storage.
      () =>
        sites.siteFor(request).catch(() => ({ base: request_origin.base(request), navigation, me: null })),
      hints,
      config,
    );

  const health = async () => ({ ...(await storage.health()), clock: clock.health() });
  const whole = httpRoutes({
    features,
    rooms,
    http,
    mcp,
    health,
    usage: config,
    errors: { ...general_errors, ...declared.errors, ...deps.errors },
    onError,
  });
  const mounted = mountedRoutes(whole);
  checkNeeds(mounted);
  const guessed = features.flatMap(({ guessed_paths = [] }) => guessed_paths);
  routes = createRoutes(mounted, guessed);

  const ingress: IngressDeps = {
    banned: (request) => bans.refusalFor(() => addresses.of(request)),
    isOperator,
    admit: (request) => (config.rate_limit ? limiter.admit(addresses.of(request)) : null),
    fresh: storage.fresh ? () => storage.fresh!() : null,
    addresses,
    observer: observerOf({ config, log, meter, addresses, clock }),
    newId: createRequestIds(deps.request_id_prefix ?? random.bytes(8).toHex(), request_origin.isFromProxy),
    delayRefusal: createRefusalDelay(limiter.isPersistent, clock),
    app: {
      fetch: (request) => direct.answerTo(request) ?? repeated.answerTo(request) ?? whole.fetch(request),
    },
    routes,
    request_origin,
    origins,
    idle,
    bodies,
    answer_memory,
    onError: (error, request) => onError("UNKNOWN", error, request),
  };
  const open = () => ({
    streams: streams.open_streams,
    waits: waits.waiting,
    subscriptions: topics.subscriptions,
    bodies: bodies.open_bodies,
    body_bytes: bodies.held_bytes + answer_memory.reserved_bytes,
  });
  measureService(meter, { open, storage, health });
  return {
    routes: mounted,
    openApi: (base) => openApiOf({ whole: () => whole, features }, http, base),
    fetch: createIngress(ingress),
    fetchForOwner: createOwnersIngress(ingress, owners),
    open,
    start() {
      void warnOfPolicy(config, names, log);
      clock.start();
      sharing.start();
      for (const feature of features) feature.start?.();
    },
    close() {
      for (const feature of features) feature.close?.();
      waits.close();
      streams.close();
      bodies.close();
      mcp.transport.close();
      shared_use?.close();
      sharing.close();
      clock.close();
    },
  };
}
