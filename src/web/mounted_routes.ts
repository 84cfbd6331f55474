/** The routes of the app with what each was declared with: checks and documents are made of them. */

import type { TSchema } from "@sinclair/typebox";
import type { AnyElysia } from "elysia";
import type { RouteDoc } from "./openapi/describe.ts";
import type { Credentials } from "./openapi/security.ts";

export interface MountedRoute {
  method: string;
  path: string;
  body?: TSchema;
  query?: TSchema;
  params?: TSchema;
  /** Its description as a route of the API. */
  described?: RouteDoc;
  /** Its description as a page. */
  page?: RouteDoc;
  /** What it needs of its caller: null if a credential may be an argument. Missing if the route does not say it. */
  takes?: Credentials | null;
}

/** All routes that are mounted in `app` now. */
export const mountedRoutes = (app: Pick<AnyElysia, "routes">): MountedRoute[] =>
  app.routes.map(({ method, path, hooks: { body, query, params, detail } }) => ({
    method,
    path,
    body,
    query,
    params,
    described: detail?.["x-wharf"],
    page: detail?.["x-page"],
    takes: detail?.["x-takes"],
  }));
