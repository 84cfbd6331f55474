/** The SDK behind the transport: loaded when first needed, and called with the place of each request. Its streams become plain JSON for clients that take none. */

import { event_stream_type, heartbeat_ms } from "../web/sse/format.ts";
import type { Log } from "../core/log.ts";
import type { EndpointAt, Place, RpcRequest, Sdk } from "./types.ts";
import { begun, isStream, lastMessage, takesStreams, whole } from "./sse.ts";

export function createSdkServers(endpointAt: EndpointAt, log: Log) {
  const places = new WeakMap<Request, Place>();
  const placeOf = (request: Request | undefined): Place => {
    const place = request && places.get(request);
    if (!place) throw new Error("A message came from outside of any request.");
    return place;
  };
  const onError = (error: Error) => log.debug("mcp.refused", { error: error.message });

  // Load the SDK when it is first used: it takes a sixth of the time of a start.
  let loading: Promise<Sdk> | undefined;
  const loadSdk = (): Promise<Sdk> => (loading ??= import("@modelcontextprotocol/server"));

  /** The places of requests of 2026-07-28 whose headers and `_meta` the SDK has found right: only for those it makes a server. */
  const checked = new WeakSet<Place>();
  let handlers: ReturnType<typeof makeHandlers> | undefined;
  function makeHandlers(sdk: Sdk) {
    const factory = ({ era, requestInfo }: { era: string; requestInfo?: Request }) => {
      const place = placeOf(requestInfo);
      if (era === "modern") checked.add(place);
      return endpointAt(place.address).createServer(sdk, placeOf);
    };
    return {
      isHandshakeEra: sdk.isLegacyRequest,
      handshake: sdk.legacyStatelessFallback(factory, onError),
      modern: sdk.createMcpHandler(factory, {
        legacy: "reject",
        onerror: onError,
        // The transport opens these streams itself: it knows the resources and bounds what waits for a reader.
        maxSubscriptions: 0,
        keepAliveMs: heartbeat_ms,
      }),
    };
  }

  /** Stores the place of a request for the server that answers it. */
  function placed(request: Request, place: Place): Request {
    places.set(request, place);
    return request;
  }

  /**
   * Answers in a form that the client accepts. The SDK serves only clients that accept both JSON and event streams;
   * for others, the last message of the stream becomes the response.
   */
  async function inForm(
    request: Request,
    place: Place,
    serve: (request: Request) => Promise<Response>,
    form: "any" | "json" = "any",
  ): Promise<Response> {
    // The SDK may answer with a stream, or late.
    place.keepOpen();
    if (takesStreams(request.headers) && form === "any") return begun(await serve(placed(request, place)));
    const headers = new Headers(request.headers);
    headers.set("accept", `application/json, ${event_stream_type}`);
    const accepting = new Request(request.url, { method: "POST", headers, signal: request.signal });
    const response = await serve(placed(accepting, place));
    return isStream(response) ? lastMessage(response) : whole(response);
  }

  /** Answers a request that belongs to no session; `message` is its body. */
  async function standAlone(
    request: Request,
    place: Place,
    message: unknown,
    form: "any" | "json" = "any",
  ): Promise<Response> {
    const sdk = await loadSdk();
    const { isHandshakeEra, handshake, modern } = (handlers ??= makeHandlers(sdk));
    const serve = (await isHandshakeEra(request, message)) ? handshake : modern.fetch;
    return inForm(request, place, (accepting) => serve(accepting, { parsedBody: message }), form);
  }

  /** The refusal of a request of 2026-07-28 that breaks the rules of all requests; null if it keeps them. */
  async function refusal(request: Request, place: Place, message: RpcRequest): Promise<Response | null> {
    const answer = await standAlone(request, place, message);
    return checked.has(place) ? null : answer;
  }

  return {
    loadSdk,
    placeOf,
    onError,
    inForm,
    standAlone,
    refusal,
    close: () => void handlers?.modern.close().catch(onError),
  };
}
