/** Ids of requests: in every answer as X-Request-Id, in problems, and in the lines of the log. */

import { holdsSecret } from "../core/secrets.ts";

/** Returns the id of a new request. */
export type RequestIds = (request: Request) => string;

const id_form = /^[A-Za-z0-9._-]{1,128}$/;

/**
 * An id is `prefix`, which differs for each start of the service, and the number of the request. `isFromProxy`: whether a
 * trusted proxy sent the request; its X-Request-Id is taken if it has the form of an id and holds no key.
 */
export function createRequestIds(prefix: string, isFromProxy: (request: Request) => boolean): RequestIds {
  let count = 0;
  return (request) => {
    const given = request.headers.get("x-request-id");
    if (given !== null && id_form.test(given) && !holdsSecret(given) && isFromProxy(request)) return given;
    return `${prefix}-${++count}`;
  };
}
