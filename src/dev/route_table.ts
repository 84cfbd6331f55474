/** Names routes as the OpenAPI document does, `GET /api/meet/rooms/{room}`, and finds the calls that such a name means. */

import { invalidFields } from "../core/errors.ts";
import type { MountedRoute } from "../web/mounted_routes.ts";

export interface Call {
  method: string;
  path: string;
  /** The path of its route with parameters in braces; null if it has none. */
  route: string | null;
}

/** Whether a call is meant. */
export type RoutePattern = (call: Pick<Call, "method" | "path">) => boolean;

export interface RouteTable {
  callOf(method: string, path: string): Call;
  /**
   * The calls that `text` means: a method and a path, which has parameters in braces or their values. `*` for either part
   * means all. Throws `invalid_fields` with the path `field` if there is no such route.
   */
  pattern(text: string, field: string): RoutePattern;
}

const form = 'must be a method and a path, such as "GET /api/meet/rooms/{room}", or "* *" for all';

/** The expression of a path with parameters in braces; those in `long` may hold slashes. */
const expressionOf = (path: string, long = ""): RegExp =>
  new RegExp(
    `^${path.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{(\w+)\}/g, (_, name) => (name === long ? ".+" : "[^/]+"))}/?$`,
  );

/** The path without the names of its parameters, and without a slash at the end. */
const unnamed = (path: string): string => path.replace(/\{\w+\}/g, "{}").replace(/(.)\/$/, "$1");

const isOf = (method: string, asked: string): boolean => method === "*" || asked === "*" || method === asked;

/** `routes`: all of the app. */
export function createRouteTable(routes: readonly MountedRoute[]): RouteTable {
  const table = routes
    .map(({ method, path, described }) => {
      const rest = described?.rest ?? "rest";
      const open_path = path.replace(/:(\w+)/g, "{$1}").replace("*", `{${rest}}`);
      const long = path.includes("*") ? rest : "";
      return {
        method: method === "ALL" ? "*" : method,
        path: open_path,
        long,
        matches: expressionOf(open_path, long),
      };
    })
    // A path is of the route with the fewest parameters, as for the router.
    .sort((a, b) => weight(a) - weight(b));

  const routeOf = (method: string, path: string) =>
    table.find((route) => isOf(route.method, method) && route.matches.test(path));

  return {
    callOf(method, path) {
      const found = routeOf(method === "HEAD" ? "GET" : method, path);
      return { method, path, route: found?.path ?? null };
    },
    pattern(text, field) {
      const [, method, path] = /^(\*|[A-Z]+) (\*|\/\S*)$/.exec(text) ?? [];
      if (method === undefined || path === undefined) throw invalidFields([{ path: field, message: form }]);
      if (path === "*") return (call) => isOf(method, call.method);
      const of_this_name = table.filter((route) => unnamed(route.path) === unnamed(path));
      const example = path.replace(/\{\w+\}/g, "x");
      const meant =
        of_this_name.length > 0 ? of_this_name : table.filter(({ matches }) => matches.test(example));
      const asked = method === "HEAD" ? "GET" : method;
      if (method !== "OPTIONS" && !meant.some((route) => isOf(route.method, asked))) {
        throw invalidFields([{ path: field, message: "is no route of the service" }], hint);
      }
      const matches = of_this_name[0]?.matches ?? expressionOf(path);
      return (call) => isOf(method, call.method) && matches.test(call.path);
    },
  };
}

const hint = "GET /openapi.json names every path; with each, the methods that it takes.";

const weight = ({ path, long }: { path: string; long: string }): number =>
  path.split("{").length + (long === "" ? 0 : 100);
