/**
 * Authentication of HTTP routes. Each route states what it needs of its caller, and its handler gets `caller` and `base`.
 * Every route refuses a wrong credential, even if it needs none.
 */

import { Elysia } from "elysia";
import type { Admin, Scope } from "../core/admin.ts";
import type { Caller, Credential, Identity } from "../core/caller.ts";
import { whenReady, type Ready } from "../core/ready.ts";
import { createArgumentCallers } from "./argument_callers.ts";
import type { Members } from "./members.ts";
import type { IdempotencyKeys } from "./idempotency.ts";
import type { MountedRoute } from "./mounted_routes.ts";
import type { Credentials } from "./openapi/security.ts";

/**
 * - `reader`: anybody, or under `--read members` the holder of a claimed name; otherwise 401 `credential_required`.
 * - `public`: anybody, also under `--read members`.
 * - `named`: a claimed name and its key; otherwise 401 `credential_required`.
 * - `former_key`: anybody. The call may replace the key of its own caller, so a repetition may still send the former key.
 *   The function returns what identifies the call, as for `IdempotencyKeys.run`.
 */
type Need = "reader" | "public" | "named" | { former_key: (caller: Caller, body: unknown) => unknown };

export interface AccessDeps {
  /** The caller by `credential`, or by the headers if absent. Throws `unknown_credential`. */
  authenticate(request: Request, credential?: Credential): Ready<Caller>;
  /** The admin who sent the request. Throws `admin_required` or `scope_missing`. */
  authenticateAdmin(request: Request, scope: Scope): Promise<Admin>;
  /** The public base URL of the service, as this caller reached it. */
  base(request: Request): string;
  /** Throws `credential_required` if the caller has no claimed name. */
  identityOf(caller: Caller): Identity;
  /** Admits the readers of a service for members. Null if anybody may read. */
  members: Members | null;
  /** Whether clients can sign in by OAuth. */
  oauth: boolean;
  idempotency: Pick<IdempotencyKeys, "callerReplacing">;
}

export type Access = ReturnType<typeof createAccess>["access"];
export type Resolvers = ReturnType<typeof createAccess>["resolvers"];

/**
 * Returns the app on which every feature mounts its routes, which state their needs, and what finds the callers of some of
 * them. It is one app, because Elysia would add each route of a plugin a second time.
 */
export function createAccess(deps: AccessDeps) {
  const { authenticate, authenticateAdmin, base, identityOf, members, idempotency } = deps;
  /** `takes` is what `mountedRoutes` says of the route. Elysia's types of macros know no `detail`. */
  function resolver<Resolve extends object>(
    resolve: Resolve,
    takes: Credentials | null,
  ): { resolve: Resolve } {
    const stated = { resolve, detail: { "x-takes": takes } };
    return stated;
  }

  const anybodyOf = (request: Request): Ready<{ caller: Caller; base: string }> =>
    whenReady(authenticate(request), (caller) => ({ caller, base: base(request) }));
  // Elysia awaits a `resolve` only if it is an async function.
  const anybody = async ({ request }: { request: Request }) => anybodyOf(request);
  const holder = async ({ request }: { request: Request }) => {
    const caller = await authenticate(request);
    identityOf(caller);
    members?.admit(request, caller);
    return { caller, base: base(request) };
  };
  const member = async ({ request }: { request: Request }) => {
    const caller = await authenticate(request);
    members?.admit(request, caller);
    return { caller, base: base(request) };
  };
  const reader = members ? member : anybody;
  const in_arguments = createArgumentCallers(deps);
  // docs/adr/0002-elysia.md says why `normalize` is off.
  const access = new Elysia({ name: "wharf", normalize: false, handler: { standardHostname: false } }).macro({
    needs: (need: Need) => {
      if (need === "reader") return resolver(reader, members ? "required" : "optional");
      if (need === "public") return resolver(anybody, "optional");
      if (need === "named") return resolver(holder, "required");
      const former = async ({ request, body }: { request: Request; body?: unknown }) => ({
        caller: await idempotency.callerReplacing(request, (caller) => need.former_key(caller, body)),
        base: base(request),
      });
      return resolver(former, "optional");
    },

    /** Replaces `needs` where only admins with this scope may call. The handler gets `admin` in place of `caller`. */
    needs_scope: (scope: Scope) =>
      resolver(
        async ({ request }: { request: Request }) => ({
          admin: await authenticateAdmin(request, scope),
          base: base(request),
        }),
        "admin",
      ),

    /**
     * Replaces `needs` where a credential may be an argument of a call, too. The handler authenticates with `callerOf`. The caller
     * by the headers must be a reader, or the holder of a claimed name.
     */
    credential_in_arguments: (by_headers: "reader" | "holder") =>
      resolver(async ({ request }: { request: Request }) => in_arguments[by_headers](request), null),
  });
  /** What these needs find, for calls that run without the router: at once for a caller without a credential. */
  const resolvers = {
    reader: members ? (request: Request) => member({ request }) : anybodyOf,
    in_arguments,
  };
  return { access, resolvers };
}

/** Throws if a route states no need, because nothing would authenticate its callers. */
export function checkNeeds(routes: readonly MountedRoute[]): void {
  for (const { method, path, takes } of routes)
    if (takes === undefined) throw new Error(`${method} ${path} does not state what it needs of its caller.`);
}
