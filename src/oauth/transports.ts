/** How programs and people reach the authorization server. Loaded with `--oauth` only. */

import { consent_path } from "../api/account.ts";
import { createGuardedFetch, type GuardOptions } from "../core/guarded_fetch.ts";
import type { Http } from "../web/context.ts";
import { createOAuth, type OAuthDeps } from "./oauth.ts";
import { consentPages } from "./pages.ts";
import { oauthRoutes } from "./routes.ts";

interface TransportDeps extends Omit<OAuthDeps, "guardedFetch"> {
  /** From where documents of programs may be fetched. */
  guard: GuardOptions;
  /** The path of the base URL: `/` if it has none. */
  base_path: string;
}

export function oauthTransports(deps: TransportDeps) {
  const oauth = createOAuth({ ...deps, guardedFetch: createGuardedFetch(deps.guard) });
  return {
    /** Finds the callers with access tokens. */
    tokens: oauth.tokens,
    routes(http: Http): void {
      oauthRoutes({ ...deps, ...oauth }, http);
      consentPages({ ...deps, ...oauth }, http);
    },
    /** What somebody signs in for at this path; null if it is not that of the page. */
    purposeOf: (path: string): string | null =>
      path.startsWith(`${consent_path}?`) ? "decide about the program that asks" : null,
  };
}
