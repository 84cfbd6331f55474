/**
 * The ingress for requests that came by the socket in the data directory. Only the owner of its files can open it, so nothing
 * counts against limits, and the Host and Origin headers need no check. It leads to the admin API alone.
 */

import { ServiceError } from "../core/errors.ts";
import { pathOf } from "./allowed_methods.ts";
import { web_errors } from "./errors.ts";
import { createIngress, type Ingress, type IngressDeps } from "./ingress.ts";

const served = /^\/(?:api\/admin\/|healthz$|readyz$)/;

/** Takes the `deps` of the public ingress. Adds each request to `owners` before a route sees it. */
export function createOwnersIngress(deps: IngressDeps, owners: WeakSet<Request>): Ingress {
  const { app } = deps;
  return createIngress({
    ...deps,
    banned: () => null,
    admit: () => null,
    delayRefusal: () => Promise.resolve(),
    request_origin: { ...deps.request_origin, checkHost: () => undefined },
    origins: { ...deps.origins, check: () => undefined, addCors: () => undefined },
    app: {
      fetch(request) {
        if (!served.test(pathOf(request))) {
          throw new ServiceError(web_errors.path_not_found, "The socket serves the admin API alone.");
        }
        owners.add(request);
        return app.fetch(request);
      },
    },
  });
}
