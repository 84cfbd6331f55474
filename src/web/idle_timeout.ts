/**
 * The idle timeout of connections, which a request that waits or streams does without. What Bun is told for one request
 * holds for the connection's later requests too, so the timeout is restored when the answer has ended.
 */

import { web_limits } from "./limits.ts";

export interface IdleTimeout {
  /** Lets a request's connection be idle until the request is answered. */
  lift(request: Request): void;
  /**
   * Lets a request's connection be idle until the stream that answers it ends. The result is to be called just before
   * that: Bun knows the connection of a request no longer than that.
   */
  liftForStream(request: Request): () => void;
  /** Restores the timeout where it was lifted until the request is answered. */
  restore(request: Request): void;
}

/** `setSeconds` sets how long the connection of a request may be idle from now on; 0: without an end. */
export function createIdleTimeout(setSeconds: (request: Request, seconds: number) => void): IdleTimeout {
  const lifted = new WeakSet<Request>();
  return {
    lift(request) {
      lifted.add(request);
      setSeconds(request, 0);
    },
    liftForStream(request) {
      lifted.delete(request);
      setSeconds(request, 0);
      return () => setSeconds(request, web_limits.idle_seconds_max);
    },
    restore(request) {
      if (lifted.delete(request)) setSeconds(request, web_limits.idle_seconds_max);
    },
  };
}
