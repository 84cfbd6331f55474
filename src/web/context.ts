/** What the HTTP routes of all features share. */

import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { Policy } from "../core/policy.ts";
import type { Topics } from "../core/topics.ts";
import type { Access, Resolvers } from "./access.ts";
import type { AnswerMemory } from "./answer_memory.ts";
import type { AnswerCache } from "./answer_cache.ts";
import type { DirectCalls } from "./direct_calls.ts";
import type { EventStreams } from "./sse/streams.ts";
import type { IdempotencyKeys } from "./idempotency.ts";
import type { IdleTimeout } from "./idle_timeout.ts";
import type { OpenRequests } from "./open_requests.ts";
import type { RepeatedAnswers } from "./repeated_answers.ts";
import type { RequestOrigin } from "./request_origin.ts";
import type { ShownOnce } from "./shown_once.ts";
import type { OriginRules } from "./origin_rules.ts";
import type { Sites } from "./sites.ts";
import type { Navigation } from "../api/pages.ts";

export interface Http extends Sites {
  /** The plugin that gives handlers `caller` and `base`. */
  access: Access;
  origins: OriginRules;
  /** Cached responses. */
  cache: AnswerCache;
  /** Calls that the ingress runs without the router. */
  direct: Pick<DirectCalls, "post">;
  resolvers: Resolvers;
  /** Sends what is in the cache. */
  repeated: Pick<RepeatedAnswers, "send">;
  /** Where the service listens, and what requests have named that the settings do not allow. */
  network(): { urls: string[] } & ReturnType<RequestOrigin["ignored"]>;
  policy: Policy;
  navigation: Navigation;
  /** Renders texts of callers as HTML. */
  texts(texts: Iterable<string>): Promise<Map<string, string>>;
  streams: EventStreams;
  /** Who waits for which topic now. */
  topics: Pick<Topics, "listening">;
  idempotency: IdempotencyKeys;
  /** The secrets on the pages after a form. */
  shown_once: ShownOnce;
  clock: Clock;
  log: Log;
  open: OpenRequests;
  /** Memory for large answers: a route reserves it before it reads what it answers with. */
  memory: Pick<AnswerMemory, "reserve">;
  /** The idle timeout of a connection, which a route suspends if its answer may take long. */
  idle: IdleTimeout;
}
