/** What every HTTP route of the house is given. */

import type { Caller, Credential } from "../core/caller.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { AnswerCache } from "./answer_cache.ts";
import type { RequestOrigin } from "./request_origin.ts";
import type { EventStreams } from "./sse/streams.ts";
import type { IdempotencyKeys } from "./idempotency.ts";
import type { OpenRequests } from "./open_requests.ts";
import type { OriginRules } from "./origin_rules.ts";

export interface Http {
  request_origin: RequestOrigin;
  origins: OriginRules;
  /** Finished answers. */
  cache: AnswerCache;
  streams: EventStreams;
  idempotency: IdempotencyKeys;
  clock: Clock;
  log: Log;
  /**
   * The caller of a request, known by its headers or by `argument`, where a credential came in another way. Throws when
   * one of them is wrong.
   */
  caller(request: Request, argument?: Credential): Promise<Caller>;
  open: OpenRequests;
}
