/** subscriptions/listen of revision 2026-07-28: each call opens a stream of its own, which either side may end. */

import type { Caller } from "../../core/caller.ts";
import type { Clock } from "../../core/clock.ts";
import { mcp_limits } from "../limits.ts";
import type { Topics } from "../../core/topics.ts";
import { event_stream_headers } from "../../web/sse/format.ts";
import { OpenStreams } from "../../web/sse/open_streams.ts";
import { invalidParams, ResourceNotFound, RpcFailure, rpc_codes } from "../errors.ts";
import type { Endpoint, Place, RpcRequest } from "../types.ts";
import { isObject, meta_prefix } from "../protocol.ts";
import { asText, type Followed } from "./followed.ts";
import { messageEvent, PendingUpdates } from "./pending.ts";
import { UpdateStream } from "./stream.ts";

export class Listeners {
  readonly #topics: Topics;
  readonly #open: OpenStreams;

  constructor(topics: Topics, clock: Clock) {
    this.#topics = topics;
    this.#open = new OpenStreams(clock);
  }

  /** Opens the stream that `message` asks for. Acknowledges the resources that exist: only those send notifications. */
  async open(message: RpcRequest, caller: Caller, place: Place, endpoint: Endpoint): Promise<Response> {
    const followed = await followedBy(urisIn(message), place, endpoint);
    if (this.#open.size >= mcp_limits.mcp_listeners_max) {
      throw new RpcFailure(
        rpc_codes.internal,
        "Too many listen already. Try again later, or use a tool that waits.",
      );
    }
    const call = place.open("listen", caller);
    const ends = place.keepStreamOpen();
    const of_subscription = { [`${meta_prefix}subscriptionId`]: message.id };
    const uris = [...followed.keys()];
    const acknowledged = messageEvent({
      method: "notifications/subscriptions/acknowledged",
      params: {
        _meta: of_subscription,
        notifications: uris.length > 0 ? { resourceSubscriptions: uris } : {},
      },
    });
    const ended = messageEvent({
      id: message.id,
      result: {
        resultType: "complete",
        _meta: { ...of_subscription, [`${meta_prefix}serverInfo`]: endpoint.info },
      },
    });

    const updates = new PendingUpdates(this.#topics, { _meta: of_subscription });
    const stream = new UpdateStream(acknowledged, () => {
      this.#open.delete(listener);
      updates.close();
      ends();
      call.close();
    });
    // A client is sent the result of its call before its stream ends.
    const listener = { beat: () => stream.beat(), end: () => stream.end(ended) };
    for (const [uri, one] of followed) updates.subscribe(uri, asText(one));
    updates.sendOn(stream);
    call.follow(Array.from(followed.values(), ({ topic }) => topic));
    call.signal.addEventListener("abort", () => stream.end());
    if (uris.length === 0) listener.end();
    else this.#open.add(listener);
    const read_by_some = uris.filter((uri) => followed.get(uri)!.reader !== null);
    // A removal before the call followed its topics has not ended it.
    if ((await followedBy(read_by_some, place, endpoint)).size < read_by_some.length) {
      stream.end();
      return this.open(message, caller, place, endpoint);
    }
    return new Response(stream.body, { headers: event_stream_headers });
  }

  /** Ends all streams. */
  close(): void {
    this.#open.close();
  }
}

/** The URIs that a request subscribes to, without repetitions. There are no notifications of changed lists: only rooms change. */
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

/** What there is to follow for each of `uris` that exists. */
async function followedBy(uris: string[], place: Place, endpoint: Endpoint): Promise<Map<string, Followed>> {
  const found = await Promise.all(
    uris.map(async (uri): Promise<[string, Followed][]> => {
      try {
        return [[uri, await endpoint.follow(uri, place)]];
      } catch (error) {
        if (error instanceof ResourceNotFound) return [];
        throw error;
      }
    }),
  );
  return new Map(found.flat());
}
