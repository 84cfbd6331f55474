/** Observes requests at the ingress, for the access log and for metrics. */

import type { Clock } from "../core/clock.ts";
import { bodyBytes } from "./body_bytes.ts";
import { factsOf } from "./request_facts.ts";
import { sourceOf } from "./responses.ts";

/** A request whose answer has been handed to the server; a stream has just begun. */
export interface AnsweredRequest {
  id: string;
  method: string;
  /** The pattern of its route, such as `/api/meet/rooms/{room}`; `none` if it was refused before, or there is none. */
  route: string;
  status: number;
  /** Milliseconds from the ingress to here. */
  ms: number;
  /** A system call if nothing has looked it up yet. */
  address(): string;
  /** The name or the admin whose key was sent; null without a key. */
  name: string | null;
  /** Bytes of the body; null for a stream. */
  bytes(): number | null;
}

export interface RequestObserver {
  /** Milliseconds, to be passed to `answered`. */
  begun(): number;
  answered(request: Request, response: Response, begun_ms: number): void;
}

/** Passes each answered request to `users`. Null without users. */
export function createRequestObserver(
  users: ((request: AnsweredRequest) => void)[],
  addressOf: (request: Request) => string,
  clock: Pick<Clock, "monotonic">,
): RequestObserver | null {
  if (users.length === 0) return null;
  const routes = new Map<string | null, string>([[null, "none"]]);
  function shown(route: string | null): string {
    const known = routes.get(route);
    if (known !== undefined) return known;
    const text = route!.replace(/:(\w+)/g, "{$1}");
    routes.set(route, text);
    return text;
  }

  return {
    begun: () => clock.monotonic(),
    answered(request, response, begun_ms) {
      const { id, route, name } = factsOf(request);
      const answered: AnsweredRequest = {
        id,
        method: request.method,
        route: shown(route),
        status: response.status,
        ms: clock.monotonic() - begun_ms,
        address: () => addressOf(request),
        name,
        bytes: () => bodyBytes(request, response, sourceOf(response)?.whole),
      };
      for (const use of users) use(answered);
    },
  };
}
