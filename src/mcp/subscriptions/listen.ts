/** subscriptions/listen of revision 2026-07-28: a stream of its own for each call, which ends when either side ends it. */

import type { Clock } from "../../core/clock.ts";
import { mcp_limits } from "../limits.ts";
import { web_limits } from "../../web/limits.ts";
import { invalidParams, ResourceNotFound, RpcFailure, rpc_codes } from "../errors.ts";
import type { Offer, Place, RpcRequest } from "../types.ts";
import { isObject, meta_prefix } from "../protocol.ts";
import type { Subscribers } from "./registry.ts";
import { eventOf, stream_headers, Updates } from "./pending.ts";
import { UpdateStream } from "./stream.ts";

/** Ends a listener's stream, telling it so. */
type Listener = { stream: UpdateStream; end(): void };

export class Listeners {
  readonly #subscribers: Subscribers;
  readonly #clock: Clock;
  readonly #listeners = new Set<Listener>();
  #stopHeartbeat: (() => void) | undefined;
  #closed = false;

  constructor(subscribers: Subscribers, clock: Clock) {
    this.#subscribers = subscribers;
    this.#clock = clock;
  }

  /** Opens the stream that `message` asks for. What is acknowledged is what will be told: resources that are there. */
  async open(message: RpcRequest, place: Place, offer: Offer): Promise<Response> {
    const subjects = await subjectsOf(urisIn(message), place, offer);
    if (this.#listeners.size >= mcp_limits.mcp_listeners_max) {
      throw new RpcFailure(
        rpc_codes.internal,
        "Too many listen already. Try again later, or use a tool that waits.",
      );
    }
    const close = place.open("listen");
    const ends = place.keepStreamOpen();
    const of_subscription = { [`${meta_prefix}subscriptionId`]: message.id };
    const uris = [...subjects.keys()];
    const acknowledged = eventOf({
      method: "notifications/subscriptions/acknowledged",
      params: {
        _meta: of_subscription,
        notifications: uris.length > 0 ? { resourceSubscriptions: uris } : {},
      },
    });
    const ended = eventOf({
      id: message.id,
      result: {
        resultType: "complete",
        _meta: { ...of_subscription, [`${meta_prefix}serverInfo`]: offer.info },
      },
    });

    const updates = new Updates(this.#subscribers, { _meta: of_subscription });
    const stream = new UpdateStream(acknowledged, () => {
      this.#listeners.delete(listener);
      updates.close();
      ends();
      close();
    });
    const listener = { stream, end: () => stream.end(ended) };
    this.#listeners.add(listener);
    for (const [uri, subject] of subjects) updates.follow(uri, subject);
    updates.tellOn(stream);
    if (this.#closed || uris.length === 0) listener.end();
    else this.#stopHeartbeat ??= this.#beat();
    return new Response(stream.body, { headers: stream_headers });
  }

  #beat(): () => void {
    return this.#clock.after(web_limits.stream_heartbeat_seconds * 1000, () => {
      for (const { stream } of this.#listeners) stream.beat();
      this.#stopHeartbeat = this.#listeners.size > 0 ? this.#beat() : undefined;
    });
  }

  /** Ends all streams. */
  close(): void {
    this.#closed = true;
    this.#stopHeartbeat?.();
    for (const listener of this.#listeners) listener.end();
  }
}

/** The URIs that a request wants to follow, each once. Changes of lists are not told: only rooms change here. */
function urisIn({ params }: RpcRequest): string[] {
  const filter = params?.notifications;
  const uris = isObject(filter) ? (filter.resourceSubscriptions ?? []) : null;
  if (!Array.isArray(uris) || !uris.every((uri) => typeof uri === "string")) {
    throw invalidParams(
      "params.notifications must be an object, its resourceSubscriptions an array of URIs.",
    );
  }
  if (uris.length <= mcp_limits.mcp_subscriptions_per_client) return [...new Set(uris)];
  throw invalidParams(
    `One stream can follow ${mcp_limits.mcp_subscriptions_per_client} resources. Open several for more.`,
  );
}

/** What is announced for each of `uris`, without those that are not there. */
async function subjectsOf(uris: string[], place: Place, offer: Offer): Promise<Map<string, string>> {
  const found = await Promise.all(
    uris.map(async (uri): Promise<[string, string][]> => {
      try {
        return [[uri, await offer.subject(uri, place)]];
      } catch (error) {
        if (error instanceof ResourceNotFound) return [];
        throw error;
      }
    }),
  );
  return new Map(found.flat());
}
