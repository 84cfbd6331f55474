/**
 * The most frequent calls, which the ingress runs without the router. Each is a route, too, with the same handler and the same checks,
 * for requests whose address is spelled otherwise or has a query.
 */

import { factsOf } from "./request_facts.ts";
import type { RequestContext } from "./request_context.ts";

/** What the router adds to a request for a route without a query. */
type Added = { params: object; query: object; body: unknown };

type Reader = Pick<RequestContext, "caller" | "base">;

/** Reads or changes a part of the context, before its caller is authenticated (`bodyOf`). */
type Transform = (context: never) => unknown;

interface DirectCall {
  address: RegExp;
  route: string;
  param: string;
  transforms: readonly Transform[];
  handler(context: RequestContext & Added): Promise<Response>;
}

/** A segment of an address that no rule for parameters changes or refuses. */
const plain_segment = "([a-z0-9-]+)";

export type DirectCalls = ReturnType<typeof createDirectCalls>;

/** `readerOf`: what a route gets that `needs: "reader"`. `onError`: the answer for what a route threw. */
export function createDirectCalls(
  readerOf: (request: Request) => Reader | Promise<Reader>,
  onError: (error: unknown, request: Request) => Promise<Response>,
) {
  const calls: DirectCall[] = [];

  async function run(call: DirectCall, request: Request, segment: string): Promise<Response> {
    const { route, param, transforms, handler } = call;
    factsOf(request).route = route;
    const sent = { request, body: undefined, params: { [param]: segment } };
    try {
      for (const transform of transforms) {
        const checking = transform(sent as never);
        if (checking instanceof Promise) await checking;
      }
      const found = readerOf(request);
      const { caller, base } = found instanceof Promise ? await found : found;
      return await handler({ ...sent, route, caller, base, query: {} });
    } catch (error) {
      return onError(error, request);
    }
  }

  return {
    /**
     * Adds the call `POST route`, whose path has one parameter, for which the router checks nothing, and whose query may be empty.
     * It needs a reader. Returns the handler for the router.
     */
    post<Context extends RequestContext & Added>(
      route: string,
      transforms: readonly Transform[],
      handler: (context: Context) => Promise<Response>,
    ): (context: Context) => Promise<Response> {
      const [, param] = /:(\w+)/.exec(route)!;
      const address = new RegExp(`^http://[^/]+${route.replace(`:${param}`, plain_segment)}$`);
      calls.push({ address, route, param: param!, transforms, handler: handler as DirectCall["handler"] });
      return handler;
    },

    /** Runs a request that is one of these calls; null if the router has to find its route. */
    answerTo(request: Request): Promise<Response> | null {
      if (request.method !== "POST") return null;
      for (const call of calls) {
        const segment = call.address.exec(request.url)?.[1];
        if (segment !== undefined) return run(call, request, segment);
      }
      return null;
    },
  };
}
