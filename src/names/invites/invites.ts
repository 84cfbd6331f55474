/** The operations of invitations, called by the admin API. */

import { actionBy, type Admin } from "../../core/admin.ts";
import { isoTime } from "../../core/clock.ts";
import type { OperationDeps } from "../../core/commands.ts";
import { issueSecret } from "../../core/idempotency.ts";
import { secret_prefixes } from "../../core/secrets.ts";
import type { NameCommands } from "../feature.ts";
import { inviteFromRow } from "./representations.ts";
import type { CreatedInvite, CreateInvite, Invite, RevokedInvite } from "../../api/names/invites.ts";
import { listInvites } from "./store.ts";
import { name_limits } from "../../api/limits.ts";

export type Invites = ReturnType<typeof createInvites>;

export function createInvites({ storage, clock, random }: OperationDeps<NameCommands>) {
  return {
    /** Creates an invitation. Only this call returns its code. */
    async create({ actor }: Admin, { uses = 1, expires_in }: CreateInvite): Promise<CreatedInvite> {
      const now_ms = clock.now();
      const code = issueSecret(secret_prefixes.invite, random, undefined);
      const written = await storage.write("names.invite", {
        actor,
        reason: `for ${uses} ${uses === 1 ? "claim" : "claims"}`,
        now_ms,
        id: random.uuid(now_ms),
        code_sha256: code.sha256,
        uses,
        expires: expires_in === undefined ? null : isoTime(now_ms + expires_in * 1000),
      });
      return { ...written.result, code: code.given(written)! };
    },

    /** Revokes an invitation. Names that were claimed with it stay. Throws `invite_not_found`. */
    async revoke(admin: Admin, id: string, reason: string): Promise<RevokedInvite> {
      const input = { ...actionBy(admin, reason, clock), id };
      return (await storage.write("names.revoke_invite", input)).result;
    },

    /** The newest invitations. */
    async list(): Promise<Invite[]> {
      const rows = await storage.read((tx) => listInvites(tx, name_limits.invites_listed_max));
      return rows.map((row) => inviteFromRow(row, clock.now()));
    },
  };
}
