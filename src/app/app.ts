/** Composes the service: its features, what they share, and the transports that lead to them. */

import type { Clock } from "../core/clock.ts";
import { createCommandRunner } from "../core/commands.ts";
import type { Config } from "../core/settings.ts";
import type { ErrorDefinition } from "../core/error_definition.ts";
import { createIdempotency } from "../core/idempotency.ts";
import { errorText, type Log } from "../core/log.ts";
import { createAppMcp } from "./mcp.ts";
import type { AppStorage } from "./storage.ts";
import { identityOf, type Names } from "../names/names.ts";
import type { Random } from "../core/random.ts";
import { createSearchRunner } from "../core/search.ts";
import { separateCopy } from "./separation.ts";
import { httpRoutes } from "./routes.ts";
import { text_withdrawn, Topics } from "../core/topics.ts";
import { Waits } from "../core/waits.ts";
import { createServiceClock } from "../timekeeping/service_clock.ts";
import { createSessions } from "../mcp/sessions/sessions.ts";
import { speakerCheck, speakersHaveNames, type Policy } from "../core/policy.ts";
import { wasAnswered } from "../storage/idempotency.ts";
import { readServerSecret } from "../storage/server_secret.ts";
import { createRateLimiter } from "../core/rate_limit/rate_limit.ts";
import { createAccess, type AccessDeps } from "../web/access.ts";
import { createAnswerCache } from "../web/answer_cache.ts";
import { BodyStreams } from "../web/body_streams.ts";
import { createCallerAddress } from "../web/caller_address.ts";
import { adminTokenOf, credentialOf } from "../web/credential.ts";
import { createMembers } from "../web/members.ts";
import { createPrivateAnswers } from "../web/private_answers.ts";
import { createRequestOrigin } from "../web/request_origin.ts";
import { sessionCookieOf } from "../web/session_cookie.ts";
import { EventStreams } from "../web/sse/streams.ts";
import { failureOf } from "../web/error_handler.ts";
import { createIngress, type Ingress, type IngressDeps } from "../web/ingress.ts";
import { createOwnersIngress } from "../web/owners_ingress.ts";
import { createRenderedTexts } from "../web/rendered_texts.ts";
import type { Http } from "../web/context.ts";
import { createIdleTimeout } from "../web/idle_timeout.ts";
import { createOriginRules } from "../web/origin_rules.ts";
import { OpenCalls } from "../core/open_calls.ts";
import { createOpenRequests } from "../web/open_requests.ts";
import { createIdempotencyKeys } from "../web/idempotency.ts";
import { general_errors } from "./error_catalog.ts";
import { failureAnswer, httpHints } from "./failure_answer.ts";
import { all_features, navigationOf, type FeatureSet } from "./features.ts";
import { createRefusalDelay } from "../web/refusal_delay.ts";
import { createRoutes, type Routes } from "../web/allowed_methods.ts";

export interface AppDeps {
  config: Config;
  storage: AppStorage;
  /** The clocks of the machine. */
  clock: Clock;
  /** The clock by which readers of large bodies are too slow, if it is another one. */
  reader_clock?: Clock;
  random: Random;
  log: Log;
  /** The features in place of all of them. */
  features?: FeatureSet;
  /** Errors of calls beside those of the features, for the pages that explain them. */
  errors?: Record<string, ErrorDefinition>;
  /** The `iss` of what is signed; the base URL by default. */
  issuer?: string;
  /** Whether every host name is served, and web pages of this machine may call. */
  is_development?: boolean;
  /** Where the service listens, once it does. */
  origin(): string;
  /** The address at the other end of a request's connection. */
  peer(request: Request): string;
  /** Sets how long the connection of a request may be idle from now on; 0: without limit. */
  setIdleSeconds(request: Request, seconds: number): void;
}

export interface App {
  /** Answers a request. */
  fetch: Ingress;
  /** Answers a request of the owner: one that came by the socket of the data directory. Serves the admin API only. */
  fetchForOwner: Ingress;
  routes: readonly { method: string; path: string }[];
  /**
   * How many streams, waits and large bodies are open, and how many subscriptions to topics: one for each wait, for each
   * topic that has streams and for each MCP subscription.
   */
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

/** Logs a warning if a claimed name is needed, there is none, and nobody can claim one. */
async function warnOfPolicy(policy: Policy, names: Names, log: Log): Promise<void> {
  if (policy.claims !== "closed" || !speakersHaveNames(policy) || (await names.exist())) return;
  log.warn("policy.no_members", {
    hint: "A claimed name is needed, there is none, and --claims closed allows no claim.",
  });
}

/** Creates the service with an open storage, and brings up to date what fell due while it was stopped. */
export async function createApp(deps: AppDeps): Promise<App> {
  const { config, storage, random, log, origin, peer, is_development = false } = deps;
  const clock = await createServiceClock({ ...deps, trust_clock: config.trust_clock });
  const topics = new Topics();
  const waits = new Waits(topics, clock);
  const streams = new EventStreams(topics, clock, (error) =>
    log.error("stream.failed", { error: String(error) }),
  );
  const open_calls = new OpenCalls();
  const cache = createAnswerCache();
  storage.onChange((topic) => cache.invalidate(topic));

  const limiter = createRateLimiter(config, clock);
  const { declared, create } = deps.features ?? all_features;
  const commands = createCommandRunner(declared.commands, storage, limiter, speakerCheck(config));
  const search = createSearchRunner({ definitions: declared.searches, storage, limiter, clock });
  await separateCopy(storage, clock, random, log);
  const { features, names, rooms, receipts, admins, bans, sessions } = await create({
    ...deps,
    clock,
    machine_clock: deps.clock,
    commands,
    search,
    waits,
    open_calls,
    issuer: () => deps.issuer ?? config.base_url ?? origin(),
  });
  // After the caches: a listener must not read what a cache held before the change.
  storage.onChange((topic) => topics.publish(topic));

  const idle = createIdleTimeout(deps.setIdleSeconds);
  const bodies = new BodyStreams(deps.reader_clock ?? clock, idle, (error) =>
    log.error("body.failed", { error: errorText(error) }),
  );
  const request_origin = createRequestOrigin({ ...config, is_development }, peer, log);
  const origins = createOriginRules({ ...config, is_development });
  const addresses = createCallerAddress(request_origin.address);
  /** The requests that came by the socket. */
  const owners = new WeakSet<Request>();
  const private_answers = createPrivateAnswers();
  const members = config.read === "members" ? createMembers(private_answers) : null;
  const server_secret = await serverSecret(storage, random);
  const authenticate: AccessDeps["authenticate"] = async (request, argument) => {
    const credential = credentialOf(request, argument);
    const address = () => addresses.of(request);
    const has_key = credential.name !== null || credential.key !== null;
    const cookie = has_key ? null : sessionCookieOf(request, request_origin.base);
    const session = cookie === null ? null : await sessions.of(cookie);
    if (session === null) return names.authenticate(address, credential);
    private_answers.forSession(request);
    return names.callerOf(address, session);
  };
  const idempotency = createIdempotency(server_secret, clock);
  const idempotency_keys = createIdempotencyKeys({
    idempotency,
    callerOf: authenticate,
    formerCallerOf: (request) => names.authenticateFormer(() => addresses.of(request), credentialOf(request)),
    wasAnswered: (call) => storage.read((tx) => wasAnswered(tx, call)),
  });
  const { access, checkNeeds } = createAccess({
    authenticate,
    authenticateAdmin: (request, scope) =>
      admins.authenticate({ is_owner: owners.has(request), token: adminTokenOf(request) }, scope),
    base: (request) => (owners.has(request) ? (config.base_url ?? origin()) : request_origin.base(request)),
    identityOf,
    members,
    idempotency: idempotency_keys,
  });
  const navigation = navigationOf(features, config);
  const http: Http = {
    access,
    origins,
    policy: config,
    navigation,
    siteOf: ({ caller: { identity }, base }) => ({
      base,
      navigation,
      me: identity && { name: identity.name },
    }),
    cache,
    texts: createRenderedTexts(clock),
    streams,
    topics,
    clock,
    log,
    idempotency: idempotency_keys,
    idle,
    open: createOpenRequests(limiter.open, open_calls, idle),
  };

  const mcp = createAppMcp({
    features,
    rooms,
    receipts,
    idempotency,
    navigation,
    policy: config,
    sessions: createSessions({
      storage,
      commands,
      clock,
      random,
      quotaOf: limiter.sessions,
      server_secret,
    }),
    topics,
    limiter,
    clock,
    random,
    log,
  });

  storage.onChange((topic) => {
    if (topic === null || topic === text_withdrawn) mcp.transport.forgetAnswers();
  });

  let routes: Routes = { methods: () => [], meant: () => undefined };
  const hints = httpHints(features, config);
  const onError = (code: string | number, error: unknown, request: Request) =>
    failureAnswer(
      failureOf(code, error, request, routes, log),
      request,
      { base: request_origin.base(request), navigation },
      hints,
      config,
    );

  const whole = httpRoutes({
    features,
    rooms,
    http,
    mcp,
    idle,
    health: () => storage.health(),
    usage: config,
    errors: { ...general_errors, ...declared.errors, ...deps.errors },
    onError,
  });
  checkNeeds(whole.routes);
  routes = createRoutes(
    whole,
    features.flatMap(({ guessed_paths = [] }) => guessed_paths),
  );

  const ingress: IngressDeps = {
    banned: (request) => bans.refusalFor(() => addresses.of(request)),
    admit: (request) => (config.rate_limit ? limiter.admit(addresses.of(request)) : null),
    addresses,
    delayRefusal: createRefusalDelay(limiter.isPersistent, clock),
    app: whole,
    private_answers,
    routes,
    request_origin,
    origins,
    idle,
    bodies,
    onError: (error, request) => onError("UNKNOWN", error, request),
  };
  return {
    routes: whole.routes,
    fetch: createIngress(ingress),
    fetchForOwner: createOwnersIngress(ingress, owners),
    open: () => ({
      streams: streams.open_streams,
      waits: waits.waiting,
      subscriptions: topics.subscriptions,
      bodies: bodies.open_bodies,
    }),
    start() {
      void warnOfPolicy(config, names, log);
      clock.start();
      for (const feature of features) feature.start?.();
    },
    close() {
      for (const feature of features) feature.close?.();
      waits.close();
      streams.close();
      bodies.close();
      mcp.transport.close();
      clock.close();
    },
  };
}
