/** One session in use. Its server is made when something first needs it, from what the house remembers of the session. */

import type { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { limits } from "../../limits.ts";
import type { SessionRecord } from "../../sessions/sessions.ts";
import { RecentEvents } from "./events.ts";
import type { OfferAt, Place, Sdk } from "./offer.ts";
import { errorResponse, isObject } from "./plain.ts";
import { begun, isStream } from "./streams.ts";
import type { Subscribers } from "./subscribers.ts";
import { Updates } from "./updates.ts";
import { UpdateStream } from "./update_stream.ts";

export interface SessionDeps {
  loadSdk: () => Promise<Sdk>;
  offerAt: OfferAt;
  placeOf: (request: Request | undefined) => Place;
  /** A mark that no earlier run of the service has used. */
  newMark: () => string;
  subscribers: Subscribers;
  onError: (error: Error) => void;
}

/** How long a client waits before it resumes a stream that ended. */
const retry_ms = 1_000;

const not_kept =
  "That event is not kept any more. Make the call again; the session's own stream opens without Last-Event-ID.";

type Transport = WebStandardStreamableHTTPServerTransport;

interface Live {
  transport: Transport;
  events: RecentEvents;
  close(): Promise<void>;
}

export class LiveSession {
  readonly record: SessionRecord;
  /** What its client follows. */
  readonly updates: Updates;
  readonly #deps: SessionDeps;
  /** Ids of requests that have been neither answered nor cancelled. */
  readonly #pending = new Set<unknown>();
  #live: Promise<Live> | undefined;
  #closing = false;

  constructor(record: SessionRecord, deps: SessionDeps) {
    this.record = record;
    this.#deps = deps;
    this.updates = new Updates(deps.subscribers);
    for (const [uri, subject] of Object.entries(record.subscriptions)) {
      this.updates.follow(uri, subject);
      // Nobody knows what changed while the session was not in use.
      this.updates.changed(uri);
    }
  }

  /** Whether a call is under way. */
  get is_busy(): boolean {
    return this.#pending.size > 0;
  }

  /** Lets the session's server answer a POST; `message` is its body. */
  async post(request: Request, message: unknown): Promise<Response> {
    const { transport } = await this.#open();
    return transport.handleRequest(request, { parsedBody: message });
  }

  /**
   * Opens the session's stream, or resumes that of the call whose event Last-Event-ID names. A client that opens a second
   * one has lost the first, whether or not we noticed. An event that is no longer kept cannot be resumed from, and is
   * refused: it was one of a call, for changes of resources, told on the session's stream, have no ids. They are told again
   * instead.
   */
  async stream(request: Request): Promise<Response> {
    const { transport, events } = await this.#open();
    const last_event_id = request.headers.get("last-event-id");
    if (last_event_id) {
      return events.knows(last_event_id)
        ? begun(await transport.handleRequest(request))
        : errorResponse(400, -32600, not_kept);
    }
    transport.closeStandaloneSSEStream();
    const response = await transport.handleRequest(request);
    if (!isStream(response) || !response.body) return response;
    const stream = new UpdateStream(":\n\n");
    void stream.carry(response.body).catch(this.#deps.onError);
    this.updates.tellOn(stream);
    return new Response(stream.body, response);
  }

  /** Ends its streams, once its calls are answered. The client finds the session again while the house remembers it. */
  close(): void {
    this.#closing = true;
    this.updates.close();
    if (this.is_busy) return;
    this.#live?.then((live) => live.close()).catch(this.#deps.onError);
    this.#live = undefined;
  }

  #open(): Promise<Live> {
    return (this.#live ??= this.#revive().catch((error: unknown) => {
      this.#live = undefined;
      throw error;
    }));
  }

  /** A server that has been through the client's handshake: to the client it is the one it has always talked to. */
  async #revive(): Promise<Live> {
    const { loadSdk, offerAt, placeOf, newMark, onError } = this.#deps;
    const { id, address, handshake } = this.record;
    const sdk = await loadSdk();
    const events = new RecentEvents(newMark());
    const transport = new sdk.WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      eventStore: events,
      keepAliveMs: limits.stream_heartbeat_seconds * 1000,
      retryInterval: retry_ms,
    });
    const server = offerAt(address).createServer(sdk, placeOf);
    await server.connect(transport);
    transport.onerror = onError;
    await replay(transport, id, { jsonrpc: "2.0", id: "handshake", method: "initialize", params: handshake });
    await replay(transport, id, { jsonrpc: "2.0", method: "notifications/initialized" });
    this.#watch(transport);
    return { transport, events, close: () => server.close() };
  }

  /** Keeps count of the calls that are under way. */
  #watch(transport: Transport): void {
    const deliver = transport.onmessage!;
    const send = transport.send.bind(transport);
    transport.onmessage = (message, extra) => {
      if ("method" in message && "id" in message) this.#pending.add(message.id);
      else if ("method" in message && message.method === "notifications/cancelled") {
        if (isObject(message.params)) this.#ended(message.params.requestId);
      }
      deliver(message, extra);
    };
    transport.send = async (message, options) => {
      await send(message, options);
      if (!("method" in message)) this.#ended(message.id);
    };
  }

  #ended(id: unknown): void {
    this.#pending.delete(id);
    if (this.#closing) this.close();
  }
}

async function replay(transport: Transport, id: string, message: object): Promise<void> {
  const headers = {
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
    "mcp-session-id": id,
  };
  const request = new Request("http://session/", { method: "POST", headers });
  await (await transport.handleRequest(request, { parsedBody: message })).text();
}
