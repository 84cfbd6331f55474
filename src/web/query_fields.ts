/** Refuses or ignores unknown query parameters of API routes, by the rules of known_fields.ts. */

import { knownFields } from "./known_fields.ts";
import type { MountedRoute } from "./mounted_routes.ts";
import { factsOf } from "./request_facts.ts";

/** Routes of the API: those in the OpenAPI document, and their markdown twins. Pages ignore unknown parameters. */
const isOfApi = ({ path, described }: MountedRoute): boolean =>
  path.startsWith("/api/") || described !== undefined;

/**
 * Returns a check of a request's query. It reads `routes` at the first call, when all are mounted. Throws `unknown_field`.
 * Elysia calls the check for each request, so a request without a query returns at once.
 */
export function createQueryCheck(routes: () => readonly MountedRoute[]) {
  let checks: Map<string, ReturnType<typeof knownFields>> | undefined;

  const makeChecks = () =>
    new Map(
      routes()
        .filter(isOfApi)
        .map(({ method, path, query }) => {
          const known = Object.keys((query?.properties ?? {}) as object);
          return [`${method} ${path}`, knownFields(known, (name) => name)];
        }),
    );

  return (request: Request, route: string): void => {
    const begin = request.url.indexOf("?");
    if (begin < 0) return;
    checks ??= makeChecks();
    const sent = Object.fromEntries(new URLSearchParams(request.url.slice(begin + 1)));
    factsOf(request).ignored_fields = checks.get(`${request.method} ${route}`)?.(sent) ?? null;
  };
}
