/** Requests that stay open. They count against their address, and their connection may be idle. */

import type { Caller } from "../core/caller.ts";
import type { OpenKind } from "../core/rate_limit/rate_limit.ts";
import type { IdleTimeout } from "./idle_timeout.ts";
import { unlessEnded, type OpenCall, type OpenCalls } from "../core/open_calls.ts";
import type { Presence } from "../core/presence.ts";

export interface OpenRequests {
  /** Counts a call as open until its `close`. `left` is aborted when the caller has left. Throws `too_many_open`. */
  begin(kind: OpenKind, caller: Caller, left?: AbortSignal): OpenCall;
  /**
   * Runs `run`, which may wait until the call that it gets ends. Throws `too_many_open` without running it, and the refusal if the
   * caller was banned, its name suspended, its session or its grant ended meanwhile.
   */
  wait<Result>(request: Request, caller: Caller, run: (open: OpenCall) => Promise<Result>): Promise<Result>;
  /**
   * Prepares for a stream as the answer. Call `close` just before the stream ends, or when its reader disconnects. Throws
   * `too_many_open`.
   */
  stream(request: Request, caller: Caller): OpenCall;
}

/** `count` counts one open call of an address until its result is called. Throws `too_many_open`. */
export function createOpenRequests(
  count: (address: string, kind: OpenKind) => () => void,
  calls: OpenCalls,
  idle: IdleTimeout,
  presence: Pick<Presence, "arrive">,
): OpenRequests {
  function begin(kind: OpenKind, caller: Caller, left?: AbortSignal, onClose = () => {}): OpenCall {
    const { address, identity, session, grant } = caller;
    const uncount = count(address, kind);
    const visit = presence.arrive(identity);
    const close = () => {
      visit.leave();
      onClose();
      uncount();
    };
    const name = identity?.canonical ?? null;
    return calls.add({ address, name, session, grant }, close, left, visit.follow);
  }

  return {
    begin: (kind, caller, left) => begin(kind, caller, left),

    async wait(request, caller, run) {
      const call = begin("stream", caller, request.signal);
      try {
        idle.lift(request);
        return await unlessEnded(call, () => run(call));
      } finally {
        call.close();
      }
    },

    stream(request, caller) {
      let restore = () => {};
      const call = begin("stream", caller, undefined, () => restore());
      restore = idle.liftForStream(request);
      return call;
    },
  };
}
