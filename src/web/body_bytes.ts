/** The length of an answer's body, for those who watch requests: Bun does not say it without reading the body. */

const body = Symbol("the body of an answer");
type Answer = Response & { [body]?: string | Uint8Array };

/** Notes the body of an answer. Its length is measured only if somebody reads it. */
export function noteBody(response: Answer, bytes: string | Uint8Array): Response {
  response[body] = bytes;
  return response;
}

/**
 * Bytes of the body as it is sent; null if it is made while it is sent, as a stream is. `whole`: the body of an answer that the
 * ingress sends in pieces.
 */
export function bodyBytes(request: Request, response: Answer, whole?: Uint8Array): number | null {
  if (request.method === "HEAD" || response.status === 204 || Math.floor(response.status / 100) === 3)
    return 0;
  const known = response[body] ?? whole;
  return known === undefined ? null : typeof known === "string" ? Buffer.byteLength(known) : known.length;
}
