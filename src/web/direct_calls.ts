/**
 * The most frequent calls, which the ingress runs without the router. Each is a route, too, with the same handler and the same checks,
 * for requests whose address is spelled otherwise or has a query.
 */

import type { Ready } from "../core/ready.ts";
import { factsOf } from "./request_facts.ts";

/** What a handler gets of a request to a route without a query, beside what its need adds. */
interface Context {
  request: Request;
  /** The pattern of the route's path. */
  route: string;
  params: object;
  query: object;
  body: unknown;
}

/** Reads or changes a part of the context, before its caller is authenticated (`bodyOf`). */
type Transform = (context: never) => unknown;

/** Finds what a need of the route adds to the context (`createAccess`). */
type Resolve<Added extends object> = (request: Request) => Ready<Added>;

interface DirectCall {
  address: RegExp;
  route: string;
  /** The name of its parameter, if it has one. */
  param: string | undefined;
  transforms: readonly Transform[];
  resolve: Resolve<object>;
  handler(context: Context): Ready<Response>;
}

/** A segment of an address that no rule for parameters changes or refuses. */
const plain_segment = "([a-z0-9-]+)";

export type DirectCalls = ReturnType<typeof createDirectCalls>;

/** `onError`: the answer for what a route threw. */
export function createDirectCalls(onError: (error: unknown, request: Request) => Promise<Response>) {
  const calls: DirectCall[] = [];

  async function run(call: DirectCall, request: Request, segment: string | undefined): Promise<Response> {
    const { route, param, transforms, resolve, handler } = call;
    factsOf(request).route = route;
    const params = param === undefined ? {} : { [param]: segment };
    const context = { request, route, params, query: {}, body: undefined };
    try {
      for (const transform of transforms) {
        const checking = transform(context as never);
        if (checking instanceof Promise) await checking;
      }
      const found = resolve(request);
      const added = found instanceof Promise ? await found : found;
      return await handler(Object.assign(context, added));
    } catch (error) {
      return onError(error, request);
    }
  }

  return {
    /**
     * Adds the call `POST route`, whose path has one parameter at most, for which the router checks nothing, and whose query may be
     * empty. Returns the handler for the router.
     */
    post<Needed extends object, Whole extends Context & Needed, Answer extends Ready<Response>>(
      route: string,
      resolve: Resolve<Needed>,
      transforms: readonly Transform[],
      handler: (context: Whole) => Answer,
    ): (context: Whole) => Answer {
      const param = /:(\w+)/.exec(route)?.[1];
      const address = new RegExp(`^http://[^/]+${route.replace(/:\w+/, plain_segment)}$`);
      calls.push({ address, route, param, transforms, resolve, handler: handler as never });
      return handler;
    },

    /** Runs a request that is one of these calls; null if the router has to find its route. */
    answerTo(request: Request): Promise<Response> | null {
      if (request.method !== "POST") return null;
      for (const call of calls) {
        const matched = call.address.exec(request.url);
        if (matched) return run(call, request, matched[1]);
      }
      return null;
    },
  };
}
