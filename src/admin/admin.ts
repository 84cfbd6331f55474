/** The operations of the admin API: authentication, tokens and the audit log. */

import { version } from "../../package.json" with { type: "json" };
import { actionBy, requireScope, type Admin, type Scope } from "../core/admin.ts";
import { isoTime } from "../core/clock.ts";
import type { FeatureStorage, OperationDeps } from "../core/commands.ts";
import { ServiceError } from "../core/errors.ts";
import type { CommandMap, ExportStream, Storage } from "../core/storage.ts";
import { isSecret, newSecret, secret_prefixes, sha256Hex } from "../core/secrets.ts";
import { admin_errors } from "./errors.ts";
import type { AdminCommands } from "./feature.ts";
import type { AuditPage, RevokedToken, Token } from "../api/admin.ts";
import * as store from "./store.ts";
import { admin_limits } from "../api/limits.ts";

interface AdminsDeps extends OperationDeps<AdminCommands> {
  storage: FeatureStorage<AdminCommands> & Pick<Storage<CommandMap>, "export">;
}

export type Admins = ReturnType<typeof createAdmins>;

const owner: Admin = { actor: "owner", scopes: ["moderate", "operate"] };

/** The scope `operate` includes `moderate`. */
const scopesOf = (scope: Scope): Scope[] => (scope === "operate" ? ["moderate", "operate"] : ["moderate"]);
const scopeOf = ({ scopes }: { scopes: string }): Scope =>
  scopes.split(" ").includes("operate") ? "operate" : "moderate";

const tokenFromRow = ({ token_sha256: _hash, scopes, ...row }: store.TokenRow): Token => ({
  ...row,
  scope: scopeOf({ scopes }),
});

/** What came with a call: the owner needs no token. */
interface AdminCredential {
  is_owner: boolean;
  token: string | null;
}

export function createAdmins({ storage, clock, random }: AdminsDeps) {
  async function adminWith({ is_owner, token }: AdminCredential): Promise<Admin> {
    if (is_owner) return owner;
    if (token === null) {
      throw new ServiceError(admin_errors.admin_required, "This takes an admin token.");
    }
    const row = isSecret(secret_prefixes.admin_token, token)
      ? await storage.read((tx) => store.findTokenByHash(tx, sha256Hex(token)))
      : undefined;
    if (!row) throw new ServiceError(admin_errors.admin_required, "That admin token is not valid.");
    return { actor: `token:${row.label}`, scopes: scopesOf(scopeOf(row)) };
  }

  return {
    /** The admin with this credential. Throws `admin_required`, or `scope_missing`. */
    async authenticate(credential: AdminCredential, scope: Scope): Promise<Admin> {
      const admin = await adminWith(credential);
      requireScope(admin, scope);
      return admin;
    },

    /** Makes a token. It is returned once. Throws `tokens_full`. */
    async createToken(by: Admin, label: string, scope: Scope): Promise<Token & { token: string }> {
      const token = newSecret(secret_prefixes.admin_token, random);
      const { result } = await storage.write("admin.create_token", {
        id: random.uuid(clock.now()),
        label,
        scopes: scopesOf(scope),
        token_sha256: sha256Hex(token),
        ...actionBy(by, `for ${label}`, clock),
      });
      return { ...tokenFromRow(result), token };
    },

    /** Revokes a token. Throws `token_not_found`. */
    async revokeToken(by: Admin, id: string, reason: string): Promise<RevokedToken> {
      const { result } = await storage.write("admin.revoke_token", { id, ...actionBy(by, reason, clock) });
      return { ...tokenFromRow(result.now), found: { revoked_at: result.found.revoked_at } };
    },

    /** An export of the instance. The audit log says who made it, also in the export itself. */
    async export(by: Admin, with_secrets: boolean): Promise<ExportStream> {
      await storage.write("admin.note_export", {
        with_secrets,
        ...actionBy(by, "no reason is required", clock),
      });
      return storage.export({ with_secrets, at: isoTime(clock.now()), wharf: version });
    },

    /** Writes into the audit log that an admin makes a backup, so that the backup holds this line, too. */
    async noteBackup(by: Admin): Promise<void> {
      await storage.write("admin.note_backup", actionBy(by, "no reason is required", clock));
    },

    /** Writes into the audit log that an admin has old data removed now. `rules`: by which rules, in words. */
    async noteRetention(by: Admin, rules: string): Promise<void> {
      await storage.write("admin.note_retention", {
        rules,
        ...actionBy(by, "no reason is required", clock),
      });
    },

    tokens: async (): Promise<Token[]> =>
      (await storage.read((tx) => store.allTokens(tx, 2 * admin_limits.tokens_max))).map(tokenFromRow),

    /** A page of the audit log, the latest lines first. */
    async auditLog(limit: number, before = Number.MAX_SAFE_INTEGER): Promise<AuditPage> {
      const lines = await storage.read((tx) => store.auditBefore(tx, before, limit + 1));
      return { lines: lines.slice(0, limit), next: lines.length > limit ? lines[limit - 1]!.seq : null };
    },
  };
}
