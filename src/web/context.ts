/** What every HTTP route of the house is given. */

import type { Caller } from "../core/caller.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { Access } from "./access.ts";
import type { AnswerCache } from "./answer_cache.ts";
import type { EventStreams } from "./sse/streams.ts";
import type { IdempotencyKeys } from "./idempotency.ts";
import type { OpenRequests } from "./open_requests.ts";
import type { OriginRules } from "./origin_rules.ts";

export interface Http {
  /** The plugin that gives handlers `caller` and `base`. */
  access: Access;
  origins: OriginRules;
  /** Finished answers. */
  cache: AnswerCache;
  streams: EventStreams;
  idempotency: IdempotencyKeys;
  clock: Clock;
  log: Log;
  open: OpenRequests;
}

/** What a route knows of a request, for functions that several routes share. */
export interface RequestContext {
  request: Request;
  caller: Caller;
  /** The public base of the service as this caller reached it, without a slash at the end. */
  base: string;
}
