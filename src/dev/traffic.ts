/** The requests to the app: logs each, and lets the faults happen to it. */

import { systemClock } from "../core/clock.ts";
import { ServiceError } from "../core/errors.ts";
import { service_errors } from "../core/general_errors.ts";
import { pathOf } from "../web/allowed_methods.ts";
import type { IdleTimeout } from "../web/idle_timeout.ts";
import type { OriginRules } from "../web/origin_rules.ts";
import { problemHeaders, problemOf } from "../web/problems.ts";
import { shared_headers } from "../web/responses.ts";
import { dev_errors } from "./errors.ts";
import type { Fault, Faults } from "./faults.ts";
import type { Instance } from "./instance.ts";
import type { RequestLog } from "./request_log.ts";
import type { RouteTable } from "./route_table.ts";

interface TrafficDeps {
  instance: Pick<Instance, "fetch" | "clock">;
  routes: RouteTable;
  faults: Faults;
  log: RequestLog;
  origins: OriginRules;
  idle: IdleTimeout;
  setIdleSeconds(request: Request, seconds: number): void;
}

/** Returns a function that answers a request. */
export function createTraffic(deps: TrafficDeps) {
  const { instance, routes, faults, log, origins, idle, setIdleSeconds } = deps;

  function problem(request: Request, error: ServiceError, status: number, retryable: boolean): Response {
    const { origin } = new URL(request.url);
    const body = { ...problemOf(error, origin, ""), status, retryable };
    const headers = {
      "content-type": "application/problem+json",
      ...shared_headers,
      ...problemHeaders(error),
    };
    const response = new Response(JSON.stringify(body), { status, headers });
    origins.addCors(request, response);
    return response;
  }

  function failed(request: Request, { id, status, retry_after_seconds }: Fault): Response {
    const error = new ServiceError(dev_errors.fault_injected, `This is the fault ${id}.`, {
      hint: `DELETE /_dev/faults/${id} ends it.`,
      ...(retry_after_seconds !== undefined && { retry_after_seconds }),
    });
    return problem(request, error, status!, may_succeed.has(status!));
  }

  async function delayed(request: Request, delay_ms: number): Promise<Response> {
    idle.lift(request);
    const is_due = await faults.delay(delay_ms);
    idle.restore(request);
    if (is_due) return instance.fetch(request);
    const stopping = new ServiceError(service_errors.stopping, "The service was put back to its start.");
    return problem(request, stopping, 503, true);
  }

  /** The answer; null if the connection is to be cut. */
  async function answer(request: Request, fault: Fault | undefined): Promise<Response | null> {
    if (!fault) return instance.fetch(request);
    if (fault.status !== undefined) return failed(request, fault);
    if (fault.delay_ms !== undefined) return delayed(request, fault.delay_ms);
    if (fault.when === "after") {
      const { body } = await instance.fetch(request);
      await body?.cancel();
    }
    return null;
  }

  /** No answer: Bun reads no body for HEAD, which could fail, and ends the idle connection some seconds later. */
  function endedByBun(request: Request): Promise<Response> {
    setIdleSeconds(request, 1);
    return new Promise(() => {});
  }

  return async (request: Request): Promise<Response> => {
    const begun_ms = systemClock.monotonic();
    const call = routes.callOf(request.method, pathOf(request));
    const logged = log.add(request, call, instance.clock().now_ms);
    const fault = faults.next(call);
    if (fault) logged.faulted = fault.id;
    const response = await answer(request, fault);
    logged.duration_ms = Math.round((systemClock.monotonic() - begun_ms) * 10) / 10;
    logged.status = response?.status ?? null;
    return response ?? (request.method === "HEAD" ? endedByBun(request) : cut());
  };
}

/** Statuses after which the same call may succeed. */
const may_succeed = new Set([408, 425, 429, 500, 502, 503, 504]);

/** A response that makes Bun reset the connection before it has sent anything. An error with a value would be printed. */
const cut = (): Response =>
  new Response(new ReadableStream({ pull: (body) => body.error() }, { highWaterMark: 0 }));
