/** What a name has allowed programs: it lists its grants and ends them. */

import type { Caller, Identity } from "../core/caller.ts";
import { refuseAccessToken } from "../core/caller_errors.ts";
import { isoTime } from "../core/clock.ts";
import type { OperationDeps } from "../core/commands.ts";
import { ServiceError } from "../core/errors.ts";
import { oauth_errors } from "./errors.ts";
import type { OAuthCommands } from "./feature.ts";
import { oauth_limits } from "./limits.ts";
import { grantsOf, type GrantRow } from "./store.ts";

interface GrantsDeps extends OperationDeps<OAuthCommands> {
  /** The caller's claimed name. Throws `credential_required`. */
  identityOf(caller: Caller): Identity;
}

/** A grant as its name sees it. `used` is exact to an hour. */
export type Grant = Pick<
  GrantRow,
  "id" | "client" | "client_name" | "client_host" | "scope" | "created" | "used"
>;

export type Grants = ReturnType<typeof createGrants>;

export function createGrants({ storage, clock, identityOf }: GrantsDeps) {
  /** The canonical form of the caller's name. Throws `credential_required`. */
  function holderOf(caller: Caller): string {
    const detail = "This takes the key itself, or a session: an access token cannot list or end grants.";
    refuseAccessToken(caller, detail);
    return identityOf(caller).canonical;
  }

  return {
    /** The grants of the caller's name, the one used last first. Throws `credential_required`. */
    async list(caller: Caller): Promise<Grant[]> {
      const canonical = holderOf(caller);
      const rows = await storage.read((tx) =>
        grantsOf(tx, canonical, isoTime(clock.steady()), oauth_limits.grants_per_name_max),
      );
      return rows.map(({ id, client, client_name, client_host, scope, created, used }) => ({
        ...{ id, client, client_name, client_host, scope, created, used },
      }));
    },

    /** Ends a grant of the caller's name. Throws `grant_not_found` and `credential_required`. */
    async end(caller: Caller, grant_id: string): Promise<void> {
      const input = { grant_id, name: holderOf(caller) };
      if (!(await storage.write("oauth.end", input)).result)
        throw new ServiceError(oauth_errors.grant_not_found, "The name has no grant with that id.");
    },
  };
}
