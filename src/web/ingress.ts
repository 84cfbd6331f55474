/** Runs before and after the routes for every request: checks the request, and completes the answer. */

import type { AnyElysia } from "elysia";
import { call_errors } from "../core/general_errors.ts";
import { web_errors } from "./errors.ts";
import { ServiceError } from "../core/errors.ts";
import { addHeaders, shared_headers, sourceOf } from "./responses.ts";
import { tooManyLargeAnswers, type AnswerMemory } from "./answer_memory.ts";
import { declaresTooMuch, tooLarge } from "./body.ts";
import { hasAdminToken } from "./credential.ts";
import type { CallerAddress } from "./caller_address.ts";
import { factsOf, shareFacts } from "./request_facts.ts";
import type { RequestObserver } from "./ingress_observer.ts";
import type { RequestIds } from "./request_ids.ts";
import type { BodySource } from "./body_sources.ts";
import type { BodyStreams } from "./body_streams.ts";
import type { RequestOrigin } from "./request_origin.ts";
import type { IdleTimeout } from "./idle_timeout.ts";
import type { DelayRefusal } from "./refusal_delay.ts";
import type { OriginRules } from "./origin_rules.ts";
import { completePrivate } from "./private_answers.ts";
import { problemResponse, setBudget } from "./problems.ts";
import { every_method, pathOf, type Routes } from "./allowed_methods.ts";
import { ignored_header, ignoredText } from "./known_fields.ts";
import { addressContainsKey, addressHoldsSecret } from "../core/secrets.ts";
import type { Admission } from "../core/rate_limit/rate_limit.ts";

const known_methods = new Set(["GET", "HEAD", "OPTIONS", ...every_method]);

/** RFC 9110, section 9.1. The target is not checked yet, so the message must not contain it. */
const unknownMethod = (): ServiceError =>
  new ServiceError(web_errors.unknown_method, "The service does not know the method of this request.", {
    hint: `Use one of ${[...known_methods].join(", ")}. GET /openapi.json says which path takes which.`,
  });

/**
 * Throws if the target has a fragment (RFC 9112, section 3.2: it has none), which the router would take for a part of the path, or
 * if the path is not valid percent-encoded UTF-8, because no route could decode it.
 */
function checkTarget(url: string): void {
  if (url.includes("#")) {
    throw new ServiceError(call_errors.malformed_request, "The address of a request has no fragment.", {
      hint: "Send the address without # and what follows it.",
    });
  }
  if (!url.includes("%")) return;
  try {
    decodeURIComponent(new URL(url).pathname);
  } catch {
    throw new ServiceError(call_errors.malformed_request, "The address is not validly percent-encoded.");
  }
}

export type Ingress = (request: Request) => Promise<Response>;

export interface IngressDeps {
  /** The refusal for a request from a banned address; null for any other. */
  banned(request: Request): ServiceError | null;
  /** Whether a request has a token with the scope operate. No ban refuses it, so that a moderator cannot exclude the owner. */
  isOperator(request: Request): Promise<boolean>;
  /** Counts a request against the limits of its address. Null if nothing is counted. Throws if a limit is used up. */
  admit(request: Request): Admission | null;
  /** Resolves when the caches are up to date; null if they always are. */
  fresh: (() => Promise<void>) | null;
  addresses: CallerAddress;
  newId: RequestIds;
  /** Null if nobody watches requests. */
  observer: RequestObserver | null;
  delayRefusal: DelayRefusal;
  app: Pick<AnyElysia, "fetch">;
  routes: Routes;
  request_origin: RequestOrigin;
  origins: OriginRules;
  idle: IdleTimeout;
  bodies: BodyStreams;
  answer_memory: Pick<AnswerMemory, "release">;
  /** Turns an error that no route caught into an answer. */
  onError(error: unknown, request: Request): Promise<Response>;
}

/** /healthz says that the process runs, also while the database does not, and /readyz says what fails. */
async function freshFor(request: Request, fresh: () => Promise<void>): Promise<void> {
  const path = pathOf(request);
  if (path === "/readyz") await fresh().catch(() => undefined);
  else if (path !== "/healthz") await fresh();
}

export function createIngress(deps: IngressDeps): Ingress {
  const {
    banned,
    isOperator,
    admit,
    fresh,
    addresses,
    newId,
    observer,
    delayRefusal,
    app,
    routes,
    request_origin,
    origins,
    idle,
    bodies,
    answer_memory,
    onError,
  } = deps;

  function answer(request: Request): Response | Promise<Response> {
    if (!known_methods.has(request.method)) throw unknownMethod();
    request_origin.checkHost(request);
    origins.check(request);
    // Refuse a key in the URL before any route sees it: URLs end up in links, caches and logs, here and in proxies.
    if (addressHoldsSecret(request.url)) throw addressContainsKey();
    checkTarget(request.url);
    if (declaresTooMuch(request)) throw tooLarge();
    if (request.method === "OPTIONS") return options(request);
    if (request.method === "HEAD") return head(request);
    return app.fetch(request);
  }

  /** OPTIONS (RFC 9110, section 9.3.7), and the preflight of the Fetch Standard, section 4.8. */
  function options(request: Request): Response {
    const methods = routes.methods(pathOf(request));
    if (methods.length === 0) {
      return problemResponse(
        new ServiceError(web_errors.path_not_found, "There is nothing at this address."),
        request_origin.base(request),
        factsOf(request).id,
      );
    }
    const allow = methods.join(", ");
    return new Response(null, { status: 204, headers: { allow, ...origins.preflight(request, allow) } });
  }

  // RFC 9110, section 9.3.2: the answer of GET without its body, but with its length.
  async function head(request: Request): Promise<Response> {
    const { url, headers, signal } = request;
    const get = new Request(url, { headers, signal });
    shareFacts(request, get);
    idle.standsFor(get, request);
    return app.fetch(get);
  }

  /** The refusal of a request from a banned address; null for any other. Monitors may call from there. */
  function refusalOf(request: Request): ServiceError | null {
    const refusal = banned(request);
    return refusal && pathOf(request) !== "/healthz" ? refusal : null;
  }

  /** The answer with its body from `source`. For HEAD without a body, and with the length if it is known. */
  function withBody(
    request: Request,
    { status, headers }: Response,
    source: BodySource,
    admission: Admission | null,
  ): Response {
    const is_wanted = request.method !== "HEAD" && !request.signal.aborted;
    if (is_wanted) {
      const reader = { network: addresses.network(request), sent: admission?.sent ?? (() => {}) };
      return new Response(bodies.open(request, source, reader), { status, headers });
    }
    source.cancel();
    // A body that ends before the server reads it would get the length 0.
    const unknown = () => new ReadableStream({ pull: (body) => body.close() }, { highWaterMark: 0 });
    return new Response(source.whole ?? unknown(), { status, headers });
  }

  return async (request) => {
    const facts = factsOf(request);
    facts.id = newId(request);
    const begun_ms = observer?.begun() ?? 0;
    let response: Response;
    let admission: Admission | null = null;
    try {
      if (fresh) await freshFor(request, fresh);
      const refusal = refusalOf(request);
      if (refusal && !hasAdminToken(request)) throw refusal;
      admission = admit(request);
      if (admission?.turn) await admission.turn;
      // A token is looked up in the database, so that is counted before.
      if (refusal && !(await isOperator(request))) throw refusal;
      response = await answer(request);
      const source = sourceOf(response);
      if (source && !bodies.admits(source, addresses.network(request))) throw tooManyLargeAnswers();
    } catch (error) {
      response = await onError(error, request);
    }
    completePrivate(request, response);
    if (response.status === 429) await delayRefusal(addresses.of(request));
    if (admission) {
      admission.answered();
      // Writes report their own limits, which are tighter.
      if (!response.headers.has("ratelimit")) setBudget(response.headers, admission.left);
    }
    // JSON answers and cached answers already have these headers.
    if (!response.headers.has("x-content-type-options")) addHeaders(response, shared_headers);
    response.headers.set("x-request-id", facts.id);
    const { applied_wait_seconds, ignored_fields } = facts;
    // Not by Elysia's own headers: it would copy the answer for them, and lose the body of a large one.
    if (ignored_fields) response.headers.set(ignored_header, ignoredText(ignored_fields));
    if (applied_wait_seconds !== null)
      response.headers.set("preference-applied", `wait=${applied_wait_seconds}`);
    origins.addCors(request, response);
    idle.restore(request);
    observer?.answered(request, response, begun_ms);
    answer_memory.release(request);
    const source = sourceOf(response);
    return source ? withBody(request, response, source, admission) : response;
  };
}
