/** The write commands of the admin API: the audit log and admin tokens. */

import type { AdminAction, Audit, Scope } from "../core/admin.ts";
import { isoTime } from "../core/clock.ts";
import { ServiceError } from "../core/errors.ts";
import type { Tx } from "../core/storage.ts";
import { admin_errors } from "./errors.ts";
import * as store from "./store.ts";
import { admin_limits } from "../api/limits.ts";

/** Writes a line of the audit log. Commands of other features receive this function. */
export const audit: Audit = async (tx, { actor, reason, now_ms }, action, target) => {
  await store.insertAudit(tx, { at: isoTime(now_ms), actor, action, target, reason });
};

interface CreateTokenInput extends AdminAction {
  id: string;
  label: string;
  scopes: Scope[];
  token_sha256: string;
}

/** Stores a new token. Throws `tokens_full`. */
export async function createToken(tx: Tx, input: CreateTokenInput): Promise<store.TokenRow> {
  if ((await store.countTokens(tx)) >= admin_limits.tokens_max) {
    throw new ServiceError(admin_errors.tokens_full, "No further token can be made.");
  }
  const { id, label, token_sha256 } = input;
  const created = isoTime(input.now_ms);
  const row = { id, label, scopes: input.scopes.join(" "), token_sha256, created, revoked_at: null };
  await store.insertToken(tx, row);
  await audit(tx, input, "token.create", `token ${id}`);
  return row;
}

/** Writes down that an export was made. */
export const noteExport = (tx: Tx, input: AdminAction & { with_secrets: boolean }): Promise<void> =>
  audit(tx, input, "instance.export", input.with_secrets ? "with secrets" : "without secrets");

/** Writes down that a backup was made. */
export const noteBackup = (tx: Tx, input: AdminAction): Promise<void> =>
  audit(tx, input, "instance.backup", "instance");

/** Writes down that a run of retention was requested, and by which rules. */
export const noteRetention = (tx: Tx, input: AdminAction & { rules: string }): Promise<void> =>
  audit(tx, input, "instance.retention", input.rules);

/** Records that the owner started the instance although acknowledged writes are lost. The reason names the loss. */
export const noteLoss = (tx: Tx, input: AdminAction): Promise<void> =>
  audit(tx, input, "instance.accept_loss", "instance");

/** Revokes a token for good. Revoking it again changes nothing. Returns the token before and after. Throws `token_not_found`. */
export async function revokeToken(
  tx: Tx,
  input: AdminAction & { id: string },
): Promise<{ found: store.TokenRow; now: store.TokenRow }> {
  const found = await store.findToken(tx, input.id);
  if (!found) throw new ServiceError(admin_errors.token_not_found, "No token has that id.");
  const is_new = (await store.revokeToken(tx, input.id, isoTime(input.now_ms))) > 0;
  if (is_new) await audit(tx, input, "token.revoke", `token ${input.id}`);
  return { found, now: (await store.findToken(tx, input.id))! };
}
