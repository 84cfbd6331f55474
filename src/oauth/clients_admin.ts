/** What admins do with programs that sign in by OAuth. */

import { actionBy, type Admin } from "../core/admin.ts";
import { isoTime } from "../core/clock.ts";
import type { OperationDeps } from "../core/commands.ts";
import { invalidFields } from "../core/errors.ts";
import { newSecret, secret_prefixes, sha256Hex } from "../core/secrets.ts";
import { program_limits } from "../api/limits.ts";
import type { AddClient, AddedClient, EndedClient, OAuthClient } from "../api/oauth.ts";
import type { OAuthCommands } from "./feature.ts";
import { checkRedirectUris } from "./redirects.ts";
import { listClients, type ListedClient } from "./store.ts";

export type ClientsAdmin = ReturnType<typeof createClientsAdmin>;

export function createClientsAdmin({ storage, clock, random }: OperationDeps<OAuthCommands>) {
  return {
    /** The programs that are registered, added or let in by a name, those first that were used last. */
    async list(count_max: number = program_limits.clients_listed_max): Promise<OAuthClient[]> {
      return (await storage.read((tx) => listClients(tx, count_max))).map(listed);
    },

    /** Adds a program, which then need not register. Only this call returns its secret. Throws `invalid_fields`. */
    async add(admin: Admin, { name, redirect_uris, with_secret }: AddClient): Promise<AddedClient> {
      const checked = checkRedirectUris(redirect_uris);
      if ("faults" in checked) throw invalidFields(checked.faults);
      const client_secret = with_secret ? newSecret(secret_prefixes.client_secret, random) : undefined;
      const action = actionBy(admin, `for ${name}`, clock);
      const id = random.uuid(action.now_ms);
      await storage.write("oauth.add_client", {
        ...action,
        ...{ id, name, redirect_uris },
        secret_sha256: client_secret === undefined ? null : sha256Hex(client_secret),
      });
      return {
        client_id: id,
        ...(client_secret !== undefined && { client_secret }),
        ...{ name, redirect_uris },
        created: isoTime(action.now_ms),
      };
    },

    /** Ends a program: its grants, and its registration. Throws `client_not_found`. */
    async end(admin: Admin, client_id: string, reason: string): Promise<EndedClient> {
      const input = { ...actionBy(admin, reason, clock), client: client_id };
      return { client_id, ended: true, found: (await storage.write("oauth.end_client", input)).result };
    },
  };
}

const listed = ({
  client,
  origin,
  name,
  redirect_uris,
  created,
  grants,
  used,
}: ListedClient): OAuthClient => ({
  client_id: client,
  origin: origin ?? "document",
  name,
  redirect_uris: redirect_uris === null ? null : (JSON.parse(redirect_uris) as string[]),
  ...{ created, grants, used },
});
