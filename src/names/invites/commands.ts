/** The use of invitations by claims. */

import { ServiceError } from "../../core/errors.ts";
import { Overtaken, type Tx } from "../../core/storage.ts";
import { name_errors } from "../errors.ts";
import { inviteFromRow } from "./presenters.ts";
import * as store from "./store.ts";

/** The invitation with this code. Throws `invite_refused` if it cannot be used. */
export async function usableInvite(tx: Tx, code_sha256: string, now_ms: number): Promise<store.InviteRow> {
  const row = await store.findInviteByCode(tx, code_sha256);
  if (!row) throw refused("That is not the code of an invitation.");
  const { state } = inviteFromRow(row, now_ms);
  if (state !== "open") throw refused(`That invitation ${why[state]}.`);
  return row;
}

const refused = (detail: string): ServiceError => new ServiceError(name_errors.invite_refused, detail);

/** A code has 256 random bits, so a caller with a known one did not guess it, and may know the reason. */
const why = { used_up: "is used up", expired: "has expired", revoked: "was revoked" };

/** Takes one use of an invitation, in the transaction of the claim. */
export async function takeUse(tx: Tx, invite: store.InviteRow): Promise<void> {
  if (!(await store.takeUse(tx, invite))) throw new Overtaken();
}
