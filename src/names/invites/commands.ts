/** The write commands of invitations, and their use by a claim. Their inputs contain only hashes of codes. */

import type { AdminAction, Audit } from "../../core/admin.ts";
import { isoTime } from "../../core/clock.ts";
import { ServiceError } from "../../core/errors.ts";
import { Overtaken, type Tx } from "../../core/storage.ts";
import { name_errors } from "../errors.ts";
import { inviteFromRow } from "./representations.ts";
import type { Invite, RevokedInvite } from "../../api/names/invites.ts";
import * as store from "./store.ts";

interface CreateInput extends AdminAction {
  id: string;
  code_sha256: string;
  uses: number;
  expires: string | null;
}

interface RevokeInput extends AdminAction {
  id: string;
}

/** Creates an invitation. */
export async function createInvite(tx: Tx, audit: Audit, input: CreateInput): Promise<Invite> {
  const { id, code_sha256, uses, expires, now_ms } = input;
  const row = (await store.insertInvite(tx, { id, code_sha256, uses, expires, created: isoTime(now_ms) }))!;
  await audit(tx, input, "invite.create", `invite ${id}`);
  return inviteFromRow(row, now_ms);
}

/** Revokes an invitation. Revoking it again changes nothing. Throws `invite_not_found`. */
export async function revokeInvite(tx: Tx, audit: Audit, input: RevokeInput): Promise<RevokedInvite> {
  const found = await store.findInvite(tx, input.id);
  if (!found) throw new ServiceError(name_errors.invite_not_found, "There is no invitation with that id.");
  const revoked = await store.markRevoked(tx, input.id, isoTime(input.now_ms));
  if (revoked) await audit(tx, input, "invite.revoke", `invite ${input.id}`);
  return { ...inviteFromRow(revoked ?? found, input.now_ms), found: { revoked_at: found.revoked_at } };
}

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
