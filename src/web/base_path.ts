/** The path of the base URL: below it the service is reached through a proxy that does not remove the path. */

import type { Ingress } from "./ingress.ts";
import { withUrl } from "./rewritten_request.ts";

/**
 * Serves requests below the path of `base_url` as the same requests without it. Other requests pass unchanged: a proxy may have
 * removed the path, and callers on this machine need none. Throws a user-facing error if a path of `routes` begins like the base
 * path, because a request for it could mean either.
 */
export function belowBasePath(
  base_url: string | null,
  routes: readonly { path: string }[],
  answer: Ingress,
): Ingress {
  const base_path = base_url === null ? "/" : new URL(base_url).pathname;
  if (base_path === "/") return answer;
  const [, first] = base_path.split("/");
  if (routes.some(({ path }) => path.split("/")[1] === first)) {
    throw new Error(
      `--base-url must not have a path that begins with /${first}, because the service has pages there. Choose another path.`,
    );
  }
  return (request) => answer(withoutPath(request, base_path));
}

/** The request with a URL without `base_path`, if the path of its URL is `base_path` or below it. */
function withoutPath(request: Request, base_path: string): Request {
  const { url } = request;
  const begin = url.indexOf("/", url.indexOf("://") + 3);
  if (begin < 0 || !url.startsWith(base_path, begin)) return request;
  const rest = url.slice(begin + base_path.length);
  if (!/^(?:[/?#]|$)/.test(rest)) return request;
  return withUrl(request, `${url.slice(0, begin)}${rest.startsWith("/") ? "" : "/"}${rest}`);
}
