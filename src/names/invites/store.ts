/** SQL of invitations. */

import type { Tx } from "../../core/storage.ts";
import { insertOf } from "../../storage/rows.ts";

export interface InviteRow {
  id: string;
  code_sha256: string;
  uses: number;
  uses_left: number;
  expires: string | null;
  created: string;
  revoked_at: string | null;
}

export const insertInvite = (tx: Tx, row: Omit<InviteRow, "uses_left" | "revoked_at">) =>
  tx.get<InviteRow>(...insertOf("invites", { ...row, uses_left: row.uses }, "RETURNING *"));

export const findInvite = (tx: Tx, id: string) =>
  tx.get<InviteRow>("SELECT * FROM invites WHERE id = $1", id);

export const findInviteByCode = (tx: Tx, code_sha256: string) =>
  tx.get<InviteRow>("SELECT * FROM invites WHERE code_sha256 = $1", code_sha256);

/** Takes one use. Undefined if the invitation is no longer as it was read. */
export const takeUse = (tx: Tx, { id, uses_left }: InviteRow) =>
  tx.get<InviteRow>(
    "UPDATE invites SET uses_left = uses_left - 1 " +
      "WHERE id = $1 AND uses_left = $2 AND revoked_at IS NULL RETURNING *",
    id,
    uses_left,
  );

/** Revokes an invitation. Undefined if it is revoked already. */
export const markRevoked = (tx: Tx, id: string, at: string) =>
  tx.get<InviteRow>(
    "UPDATE invites SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL RETURNING *",
    at,
    id,
  );

/** Invitations, the newest first. */
export const listInvites = (tx: Tx, limit: number) =>
  tx.all<InviteRow>("SELECT * FROM invites ORDER BY created DESC, id DESC LIMIT $1", limit);
