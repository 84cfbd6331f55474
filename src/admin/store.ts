/** SQL of the audit log and of admin tokens. */

import type { Tx } from "../core/storage.ts";
import { countRows, insertOf } from "../storage/rows.ts";

interface AuditRow {
  seq: number;
  at: string;
  actor: string;
  action: string;
  target: string;
  reason: string;
}

export interface TokenRow {
  id: string;
  label: string;
  /** Scopes with spaces between. */
  scopes: string;
  token_sha256: string;
  created: string;
  revoked_at: string | null;
}

const token_columns = "id, label, scopes, token_sha256, created, revoked_at";

export const insertAudit = (tx: Tx, row: Omit<AuditRow, "seq">) => tx.run(...insertOf("audit", row));

/** The latest `limit` lines before the line `before`, the latest first. */
export const auditBefore = (tx: Tx, before: number, limit: number) =>
  tx.all<AuditRow>(
    "SELECT seq, at, actor, action, target, reason FROM audit WHERE seq < $1 ORDER BY seq DESC LIMIT $2",
    before,
    limit,
  );

/** The tokens that are not revoked, and the latest revoked ones, up to `limit`. */
export const allTokens = (tx: Tx, limit: number) =>
  tx.all<TokenRow>(
    `SELECT ${token_columns} FROM admin_tokens ORDER BY revoked_at IS NOT NULL, created DESC, id LIMIT $1`,
    limit,
  );

export const findToken = (tx: Tx, id: string) =>
  tx.get<TokenRow>(`SELECT ${token_columns} FROM admin_tokens WHERE id = $1`, id);

/** The token with this hash that is not revoked. */
export const findTokenByHash = (tx: Tx, token_sha256: string) =>
  tx.get<TokenRow>(
    `SELECT ${token_columns} FROM admin_tokens WHERE token_sha256 = $1 AND revoked_at IS NULL`,
    token_sha256,
  );

export const countTokens = (tx: Tx) => countRows(tx, "FROM admin_tokens WHERE revoked_at IS NULL");

export const insertToken = (tx: Tx, row: TokenRow) => tx.run(...insertOf("admin_tokens", row));

export const revokeToken = (tx: Tx, id: string, at: string) =>
  tx.run("UPDATE admin_tokens SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL", at, id);
