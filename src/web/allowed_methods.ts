/** The methods of a path, for 405, Allow and OPTIONS. */

import type { AnyElysia } from "elysia";

export interface Routes {
  /** The methods of the routes that match `path`, and OPTIONS; empty if no route matches. */
  methods(path: string): string[];
}

/** The path of the request's URL; empty if there is no valid URL (CONNECT, or a malformed Host). */
export const pathOf = (request: Request): string => URL.parse(request.url)?.pathname ?? "";

export const every_method = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** A lookup in the routes of `app`, which must all be mounted. */
export function createRoutes(app: AnyElysia): Routes {
  const patterns = app.routes.map(({ method, path }) => ({
    methods: method === "ALL" ? every_method : [method],
    pattern: new RegExp(`^${path.replace(/[.]/g, "\\.").replace(/:\w+/g, "[^/]+").replace(/\*/g, ".*")}/?$`),
  }));
  return {
    methods(path) {
      const found = new Set(
        patterns.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods),
      );
      if (found.size === 0) return [];
      return [...found, ...(found.has("GET") ? ["HEAD"] : []), "OPTIONS"];
    },
  };
}
