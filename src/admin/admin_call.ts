/** A call of admins is declared once: its route and its entry in the OpenAPI document are made of that. */

import type { Static, TObject } from "@sinclair/typebox";
import { scope_errors, type Admin, type Scope } from "../core/admin.ts";
import { call_errors } from "../core/general_errors.ts";
import { bodyOf } from "../web/body.ts";
import type { Http } from "../web/context.ts";
import { body_failures, doc, type RouteDoc } from "../web/openapi/describe.ts";
import { sendJson } from "../web/responses.ts";
import { admin_errors } from "./errors.ts";

/** The errors of every route for admins. */
export const admin_failures = [admin_errors.admin_required, scope_errors.scope_missing];

interface Sent<Params extends TObject, Query extends TObject, Body extends TObject> {
  request: Request;
  admin: Admin;
  /** The base URL of links. */
  base: string;
  params: Static<Params>;
  query: Static<Query>;
  body: Static<Body>;
}

interface AdminCall<
  Params extends TObject = TObject,
  Query extends TObject = TObject,
  Body extends TObject = TObject,
> extends Omit<RouteDoc, "tag" | "params" | "query"> {
  /** Its method and its address. */
  at: `${"GET" | "POST"} /api/admin/${string}`;
  scope: Scope;
  /** Left out: that of its scope. */
  tag?: RouteDoc["tag"];
  params?: Params;
  query?: Query;
  body?: Body;
  /** Reads the body. Left out: as JSON without keys. */
  reads?(request: Request): Promise<unknown>;
  /** Makes the call. Returns what is sent as JSON, or the answer itself. */
  run(sent: Sent<Params, Query, Body>): object | Promise<object>;
}

/** The call as declared. `failures`: the errors beside those of admins, of the query and of the body. */
export const adminCall = <
  Params extends TObject = TObject<{}>,
  Query extends TObject = TObject<{}>,
  Body extends TObject = TObject<{}>,
>(
  call: AdminCall<Params, Query, Body>,
): AdminCall => call;

const tags = { operate: "admin", moderate: "moderation" };

/** Mounts the routes of calls. */
export function adminRoutes({ access }: Pick<Http, "access">, calls: readonly AdminCall[]) {
  for (const { at, scope, params, query, body, reads, run, failures = [], ...described } of calls) {
    const [method, path] = at.split(" ") as ["POST", string];
    const status = Number(Object.keys(described.answers)[0]);
    // Elysia must see which members of its context are used.
    async function handle({ request, admin, base, params, query, body }: Sent<TObject, TObject, TObject>) {
      const result = await run({ request, admin, base, params, query, body });
      return result instanceof Response ? result : sendJson(result, status);
    }
    const of_input = body ? body_failures : query ? [call_errors.invalid_fields] : [];
    access.route(method, path, handle as never, {
      needs_scope: scope,
      ...(params && { params }),
      ...(query && { query }),
      ...(body ? bodyOf(body, reads) : { parse: "none" }),
      ...doc({ tag: tags[scope], ...described, failures: [...admin_failures, ...of_input, ...failures] }),
    });
  }
}
