/** One session in use. Its server is created on first use, from the stored record of the session. */

import type { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import type { Topics } from "../../core/topics.ts";
import { empty_comment, event_stream_type, heartbeat_ms } from "../../web/sse/format.ts";
import type { SessionRecord, Sessions } from "./sessions.ts";
import { closingOnFailure } from "../../core/open_calls.ts";
import { cancelledAnswer, lostAnswer, RecentEvents, requestIdsOf, type StoredEvents } from "./event_store.ts";
import {
  callsIn,
  cancelledBy,
  endedStream,
  hasKeysOf,
  keyIn,
  mayReadAgain,
  withoutPosition,
} from "./calls.ts";
import { asIdEnd, repeatableCall } from "./repeatable_call.ts";
import { followedIn, type Followed, type Readers } from "../subscriptions/followed.ts";
import type { EndpointAt, Methods, Place, RpcRequest, Sdk } from "../types.ts";
import { begun, empty_events_since, isStream, withNamedMark } from "../sse.ts";
import { PendingUpdates } from "../subscriptions/pending.ts";
import { UpdateStream } from "../subscriptions/stream.ts";

export interface SessionDeps {
  /** The stored sessions. */
  sessions: Pick<Sessions, "find" | "codeOf">;
  /** The wall clock, in unix milliseconds. */
  now: () => number;
  loadSdk: () => Promise<Sdk>;
  endpointAt: EndpointAt;
  /** The methods that only sessions have. */
  methodsOf: (session: LiveSession) => Methods;
  readers: Readers;
  placeOf: (request: Request | undefined) => Place;
  /** A mark that no earlier run of the service has used. */
  newMark: () => string;
  topics: Topics;
  /** The stored events of all sessions. */
  events: StoredEvents;
  onError: (error: Error) => void;
}

/** How long a client waits before it resumes a stream that ended. The SDKs try twice, so their calls outlive 16 seconds without a service. */
const retry_ms = 8_000;

type Transport = WebStandardStreamableHTTPServerTransport;

interface Live {
  transport: Transport;
  events: RecentEvents;
  close(): Promise<void>;
}

export class LiveSession {
  record: SessionRecord;
  /** The subscriptions of its client. */
  readonly updates: PendingUpdates;
  readonly #deps: SessionDeps;
  /** Ids of requests that have no answer yet. */
  readonly #pending = new Set<unknown>();
  /** How many answers are being sent. */
  #sending = 0;
  #live: Promise<Live> | undefined;
  #closing = false;
  /** Counts how often its record may have changed, and which of these states was read last. */
  #changes = 0;
  #changes_read = 0;
  #reading: Promise<void> | undefined;
  #is_gone = false;

  constructor(record: SessionRecord, deps: SessionDeps) {
    this.record = record;
    this.#deps = deps;
    this.updates = new PendingUpdates(deps.topics);
    // Readers may have been removed since they subscribed: `refresh` looks.
    if (Object.values(record.subscriptions).some(isForReader)) this.outdate();
    else this.updates.follow(record.subscriptions);
  }

  /** Whether its record may have changed since it was read. */
  get is_outdated(): boolean {
    return this.#changes_read !== this.#changes;
  }

  /** Ends subscriptions whose readers may not read any more. */
  endSubscriptions(isEnded: (followed: Followed) => boolean): void {
    this.updates.end(isEnded);
    // If its record is being read, it is read again.
    if (this.#reading) this.#changes++;
  }

  /** Notes that its record may have changed. */
  outdate(): void {
    this.#changes++;
    this.updates.hold();
  }

  /** Reads its record if that may have changed. Resolves to whether the session exists. */
  async refresh(): Promise<boolean> {
    while (!this.#is_gone && this.is_outdated) {
      await (this.#reading ??= this.#read().finally(() => (this.#reading = undefined)));
    }
    return !this.#is_gone;
  }

  async #read(): Promise<void> {
    const changes = this.#changes;
    const record = await this.#deps.sessions.find(this.record.id);
    this.#is_gone = record === null;
    const subscriptions = record && (await this.#readable(record.subscriptions));
    // Otherwise it is read again.
    if (record === null || changes !== this.#changes) return;
    this.#changes_read = changes;
    this.record = record;
    this.updates.follow(subscriptions!);
  }

  /** Those of its subscriptions whose readers may still read. */
  async #readable(subscriptions: Record<string, string>): Promise<Record<string, string>> {
    const readable: Record<string, string> = {};
    for (const [uri, text] of Object.entries(subscriptions))
      if (!isForReader(text) || (await this.#deps.readers.mayFollow(followedIn(text)))) readable[uri] = text;
    return readable;
  }

  /** Whether a call is in progress. */
  get is_busy(): boolean {
    return this.#pending.size + this.#sending > 0;
  }

  /** Lets the session's server answer a POST; `message` is its body, `repeatable` the call in it that may be made again. */
  async post(request: Request, message: unknown, repeatable: RpcRequest | null): Promise<Response> {
    const { transport, events } = await this.#open();
    const id_end = repeatable && asIdEnd(repeatable, this.#deps.now(), this.#codeOf);
    const revision = request.headers.get("mcp-protocol-version") ?? this.record.handshake.protocolVersion;
    // So that the stream begins with an id, by which a client of any revision can resume it.
    request.headers.set("mcp-protocol-version", empty_events_since);
    const calls = callsIn(request, message, this.#deps.readers);
    // A client that has lost a connection may send its call again: the first stream would stay open without end.
    for (const id of calls.ids) if (this.#pending.has(id)) transport.closeSSEStream(id);
    const response = await events.during({ ...calls, repeatable: id_end }, () =>
      transport.handleRequest(request, { parsedBody: message }),
    );
    return String(revision) < empty_events_since ? withNamedMark(response) : response;
  }

  /**
   * Opens the session's stream, or resumes the stream of the call whose event Last-Event-ID names. Resuming needs the keys that the
   * call was made with. A call of another node, or of an earlier run, is made again by `repeat` if it can be. A call whose
   * answer is not available ends with an error on the stream, because the client would wait without end. An unknown id counts
   * as none.
   */
  async stream(
    request: Request,
    place: Place,
    repeat: (call: RpcRequest) => Promise<Response>,
  ): Promise<Response> {
    const { transport, events } = await this.#open();
    const last_event_id = request.headers.get("last-event-id");
    if (last_event_id) {
      const calls = events.callsOf(last_event_id);
      if (calls && hasKeysOf(request, calls)) {
        const caller = await place.caller();
        // It may have been removed from a room after it was answered.
        const seen = [
          this.record.address,
          ...events.answersAfter(last_event_id).map((one) => JSON.stringify(one)),
        ];
        if (!(await mayReadAgain(this.#deps.readers, caller, calls, seen)))
          return endedStream(calls.ids.map(lostAnswer));
        const call = place.open("stream", caller);
        const response = await closingOnFailure(call, () => transport.handleRequest(request));
        return begun(response, call);
      }
      const again = calls
        ? null
        : repeatableCall(last_event_id, keyIn(request), this.#deps.now(), this.#codeOf);
      if (again) return repeat(again);
      const ids = requestIdsOf(last_event_id);
      // Replacing the session's stream would make the client open that one again, and so on.
      if (ids || this.updates.has_stream) return endedStream((ids ?? []).map(lostAnswer));
    }
    return this.#ownStream(transport, request, place);
  }

  /** Opens the stream of the session. A client that opens a second one has lost the first, even if we did not notice. */
  async #ownStream(transport: Transport, request: Request, place: Place): Promise<Response> {
    transport.closeStandaloneSSEStream();
    this.updates.endStream();
    const caller = await place.caller();
    const call = place.open("stream", caller);
    const response = await closingOnFailure(call, () => transport.handleRequest(withoutPosition(request)));
    if (!isStream(response) || !response.body) {
      call.close();
      return response;
    }
    const ends = place.keepStreamOpen();
    const stream = new UpdateStream(empty_comment, () => {
      ends();
      call.close();
    });
    call.signal.addEventListener("abort", () => stream.end());
    void stream.carry(response.body).catch(this.#deps.onError);
    this.updates.sendOn(stream);
    // A name is present where it reads, not where another has subscribed.
    const isOwn = ({ reader }: Followed) =>
      reader === null || reader.canonical === caller.identity?.canonical;
    call.follow(this.updates.followed.filter(isOwn).map(({ topic }) => topic));
    return new Response(stream.body, response);
  }

  /** Forgets the answers that a client which lost its connection could still get. */
  forgetAnswers(): void {
    this.#live?.then(({ events }) => events.forgetAnswers()).catch(this.#deps.onError);
  }

  /** Ends its streams, once its calls are answered. The client can use the session again while its record is stored. */
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

  /** Creates a server and replays the client's handshake, so that the client notices no change of servers. */
  async #revive(): Promise<Live> {
    const { loadSdk, endpointAt, methodsOf, placeOf, newMark, events: all_events, onError } = this.#deps;
    const { id, address, handshake } = this.record;
    const sdk = await loadSdk();
    const events = new RecentEvents(newMark(), all_events);
    const transport = new sdk.WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      eventStore: events,
      keepAliveMs: heartbeat_ms,
      retryInterval: retry_ms,
    });
    const server = endpointAt(address).createServer(sdk, placeOf, methodsOf(this));
    await server.connect(transport);
    transport.onerror = onError;
    await replay(transport, id, { jsonrpc: "2.0", id: "handshake", method: "initialize", params: handshake });
    await replay(transport, id, { jsonrpc: "2.0", method: "notifications/initialized" });
    this.#watch(transport);
    const close = () => {
      events.clear();
      return server.close();
    };
    return { transport, events, close };
  }

  /** Tracks the calls in progress. One that is cancelled is answered with an error: the SDK holds a call and its stream until then. */
  #watch(transport: Transport): void {
    const deliver = transport.onmessage!;
    const send = transport.send.bind(transport);
    transport.onmessage = (message, extra) => {
      if ("method" in message && "id" in message) this.#pending.add(message.id);
      deliver(message, extra);
      const id = cancelledBy(message);
      if (id !== null && this.#pending.has(id)) transport.send(cancelledAnswer(id)).catch(this.#deps.onError);
    };
    transport.send = async (message, options) => {
      if ("method" in message) return send(message, options);
      // A call has one answer.
      if (!this.#pending.delete(message.id)) return;
      this.#sending++;
      await send(message, options).finally(() => this.#sending--);
      if (this.#closing) this.close();
    };
  }

  readonly #codeOf = (text: string): string => this.#deps.sessions.codeOf(this.record.id, text);
}

const isForReader = (text: string): boolean => followedIn(text).reader !== null;

async function replay(transport: Transport, id: string, message: object): Promise<void> {
  const headers = {
    accept: `application/json, ${event_stream_type}`,
    "content-type": "application/json",
    "mcp-session-id": id,
  };
  const request = new Request("http://session/", { method: "POST", headers });
  await (await transport.handleRequest(request, { parsedBody: message })).text();
}
