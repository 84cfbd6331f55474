/** Requests that stay open. They count against their address, and their connection may be idle. */

import type { OpenKind } from "../core/rate_limit/rate_limit.ts";
import type { IdleTimeout } from "./idle_timeout.ts";

export interface OpenRequests {
  /** Runs `run`, which may wait. Throws `too_many_open` without running it. */
  wait<Result>(request: Request, run: () => Promise<Result>): Promise<Result>;
  /**
   * Prepares for a stream as the answer. Call the result just before the stream ends, or when its reader disconnects.
   * Throws `too_many_open`.
   */
  stream(request: Request, kind?: OpenKind): () => void;
}

/** `open` counts one open request until its result is called. Throws `too_many_open`. */
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
