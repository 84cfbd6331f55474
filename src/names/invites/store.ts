/** SQL of invitations. */

import type { Tx } from "../../core/storage.ts";

export interface InviteRow {
  id: string;
  code_sha256: string;
  uses: number;
  uses_left: number;
  expires: string | null;
  created: string;
  revoked_at: string | null;
}

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
