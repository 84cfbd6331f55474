/** The SDK behind the transport: loaded when first needed, and called with the place of each request. Its streams become plain JSON for clients that take none. */

import { event_stream_type, heartbeat_ms } from "../web/sse/format.ts";
import type { Log } from "../core/log.ts";
import type { OfferAt, Place, Sdk } from "./types.ts";
import { begun, isStream, lastMessage, whole } from "./sse.ts";

export function createSdkServers(offerAt: OfferAt, log: Log) {
  const places = new WeakMap<Request, Place>();
  const placeOf = (request: Request | undefined): Place => {
    const place = request && places.get(request);
    if (!place) throw new Error("A message came from outside of any request.");
    return place;
  };
  const onError = (error: Error) => log.debug("mcp.refused", { error: error.message });

  // Loading the SDK costs a sixth of the start, so nobody pays for it before it is used.
  let loading: Promise<Sdk> | undefined;
  const loadSdk = (): Promise<Sdk> => (loading ??= import("@modelcontextprotocol/server"));

  let handlers: ReturnType<typeof makeHandlers> | undefined;
  function makeHandlers(sdk: Sdk) {
    const factory = ({ requestInfo }: { requestInfo?: Request }) =>
      offerAt(placeOf(requestInfo).address).createServer(sdk, placeOf);
    return {
      isHandshakeEra: sdk.isLegacyRequest,
      handshake: sdk.legacyStatelessFallback(factory, onError),
      modern: sdk.createMcpHandler(factory, {
        legacy: "reject",
        onerror: onError,
        // The transport serves subscriptions/listen itself: it knows the resources and bounds what waits for a reader.
        maxSubscriptions: 0,
        keepAliveMs: heartbeat_ms,
      }),
    };
  }

  /** Remembers where a request came in, for the server that answers it. */
  function placed(request: Request, place: Place): Request {
    places.set(request, place);
    return request;
  }

  /**
   * Answers in the form that the caller takes. The SDK insists on clients that take both JSON and event streams; for
   * those that do not say so, the last message of the stream is the answer.
   */
  async function inForm(
    request: Request,
    place: Place,
    serve: (request: Request) => Promise<Response>,
    form: "any" | "json" = "any",
  ): Promise<Response> {
    // What the SDK answers may be a stream, or long in coming.
    place.keepOpen();
    const accept = request.headers.get("accept") ?? "";
    const takes_streams = accept.includes(event_stream_type) && accept.includes("application/json");
    if (takes_streams && form === "any") return begun(await serve(placed(request, place)));
    const headers = new Headers(request.headers);
    headers.set("accept", `application/json, ${event_stream_type}`);
    const asked = new Request(request.url, { method: "POST", headers, signal: request.signal });
    const response = await serve(placed(asked, place));
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
    return inForm(request, place, (asked) => serve(asked, { parsedBody: message }), form);
  }

  return {
    loadSdk,
    placeOf,
    onError,
    inForm,
    standAlone,
    close: () => void handlers?.modern.close().catch(onError),
  };
}
