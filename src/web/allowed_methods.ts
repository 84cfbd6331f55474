/** Which methods a path has: what 405, Allow and OPTIONS need to know. */

import type { AnyElysia } from "elysia";

export interface Routes {
  /** The methods of the routes that match `path`, OPTIONS included; none when no route does. */
  methods(path: string): string[];
}

/** The path of a request's address; empty where the address is none, as that of CONNECT or beside a malformed Host. */
export const pathOf = (request: Request): string => URL.parse(request.url)?.pathname ?? "";

export const every_method = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** The routes of `app`, to be asked for once all of them are mounted. */
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
