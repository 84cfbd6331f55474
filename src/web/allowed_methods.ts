/** The methods of a path, for 405, Allow and OPTIONS. */

import type { MountedRoute } from "./mounted_routes.ts";

export type Routes = ReturnType<typeof createRoutes>;

/** A path that callers guess, and the call that they mean. */
export type GuessedPath = [guess: RegExp, instead: string];

/** The path of the request's URL; empty if there is no valid URL (CONNECT, or a malformed Host). */
export const pathOf = (request: Request): string => URL.parse(request.url)?.pathname ?? "";

export const every_method = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** A lookup in all routes of the app, and in the paths that callers guess. */
export function createRoutes(
  mounted: readonly Pick<MountedRoute, "method" | "path">[],
  guessed_paths: GuessedPath[],
) {
  const makePatterns = () =>
    mounted.map(({ method, path }) => ({
      methods: method === "ALL" ? every_method : [method],
      is_exact: !/[:*]/.test(path),
      pattern: new RegExp(
        `^${path.replace(/[.]/g, "\\.").replace(/:\w+/g, "[^/]+").replace(/\*/g, ".*")}/?$`,
      ),
    }));
  /** Made at first use: most callers know the methods. */
  let patterns: ReturnType<typeof makePatterns> | undefined;
  return {
    /**
     * The methods of the routes that match `path`, and OPTIONS; empty if no route matches. Routes with exactly this path come before
     * those with parameters, as in OpenAPI: `/api/name/rotate` is no name.
     */
    methods(path: string): string[] {
      patterns ??= makePatterns();
      const matching = patterns.filter(({ pattern }) => pattern.test(path));
      const exact = matching.filter(({ is_exact }) => is_exact);
      const found = new Set((exact.length > 0 ? exact : matching).flatMap(({ methods }) => methods));
      if (found.size === 0) return [];
      return [...found, ...(found.has("GET") ? ["HEAD"] : []), "OPTIONS"];
    },

    /** The call that is meant by a path that does not exist, or not with this method; undefined if there is no guess. */
    meant: (path: string): string | undefined => guessed_paths.find(([guess]) => guess.test(path))?.[1],
  };
}
