/** Requests that stay open: they are counted against their address, and their connection may be idle meanwhile. */

import type { OpenKind } from "../core/rate_limit/rate_limit.ts";
import type { IdleTimeout } from "./idle_timeout.ts";

export interface OpenRequests {
  /** Runs what may wait for a while. Throws `too_many_open` without having run it. */
  wait<Result>(request: Request, run: () => Promise<Result>): Promise<Result>;
  /**
   * Lets a stream answer the request. The result is to be called just before the stream ends, and when its reader leaves.
   * Throws `too_many_open`.
   */
  stream(request: Request, kind?: OpenKind): () => void;
}

/** `open` counts something that a request has open until its result is called. Throws `too_many_open`. */
export function createOpenRequests(
  open: (request: Request, kind: OpenKind) => () => void,
  idle: IdleTimeout,
): OpenRequests {
  return {
    async wait(request, run) {
      const close = open(request, "stream");
      try {
        idle.lift(request);
        return await run();
      } finally {
        close();
      }
    },
    stream(request, kind = "stream") {
      const close = open(request, kind);
      const restore = idle.liftForStream(request);
      return () => {
        restore();
        close();
      };
    },
  };
}
