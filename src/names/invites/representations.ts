/** Turns rows of invitations into their API representation. */

import { isoTime } from "../../core/clock.ts";
import type { Invite } from "../../api/names/invites.ts";
import type { InviteRow } from "./store.ts";

/** An invitation without the hash of its code. */
export const inviteFromRow = (row: InviteRow, now_ms: number): Invite => ({
  id: row.id,
  state: stateOf(row, isoTime(now_ms)),
  uses: row.uses,
  uses_left: row.uses_left,
  expires: row.expires,
  created: row.created,
  revoked_at: row.revoked_at,
});

function stateOf({ uses_left, expires, revoked_at }: InviteRow, now: string): Invite["state"] {
  if (revoked_at !== null) return "revoked";
  if (uses_left === 0) return "used_up";
  return expires !== null && expires <= now ? "expired" : "open";
}
