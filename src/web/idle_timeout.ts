/**
 * Suspends the idle timeout of a connection while a request waits or streams. Bun applies a request's timeout to the later
 * requests of its connection too, so the timeout is restored when the answer has ended.
 */

import { web_limits } from "./limits.ts";

export type IdleTimeout = ReturnType<typeof createIdleTimeout>;

/** `setSeconds` sets the idle timeout of a request's connection; 0 means none. */
export function createIdleTimeout(setSeconds: (request: Request, seconds: number) => void) {
  const lifted = new WeakSet<Request>();
  const received = new WeakMap<Request, Request>();
  return {
    /** Notes that `copy` stands for a request that was received: the server knows the connection of that one alone. */
    standsFor(copy: Request, request: Request): void {
      received.set(copy, request);
    },

    /** Suspends the timeout until the request is answered. */
    lift(request: Request): void {
      const known = received.get(request) ?? request;
      lifted.add(known);
      setSeconds(known, 0);
    },

    /**
     * Suspends the timeout until the stream that answers the request ends. Call the result just before that, because Bun
     * then forgets the connection of the request.
     */
    liftForStream(request: Request): () => void {
      lifted.delete(request);
      setSeconds(request, 0);
      return () => setSeconds(request, web_limits.idle_seconds_max);
    },

    /** Restores the timeout if `lift` has suspended it. */
    restore(request: Request): void {
      if (lifted.delete(request)) setSeconds(request, web_limits.idle_seconds_max);
    },
  };
}
