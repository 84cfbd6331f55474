/** Input and output schemas of the name tools, built from the fields of the HTTP API. */

import { Type, type Static } from "@sinclair/typebox";
import { WantsReceipt } from "../tool_fields.ts";
import { Claim, Claimed } from "./names.ts";

const { name: ClaimedName, invite: InviteCode } = Claim.properties;
export const ClaimInput = Type.Object({ name: ClaimedName, receipt: WantsReceipt });
/** Listed only if claiming takes an invitation. */
export const InvitedInput = Type.Object({ name: ClaimedName, invite: InviteCode, receipt: WantsReceipt });
/** `keep`: what to do with the secrets. `key_note`: why there are none. */
const secrets = {
  name: Claimed.properties.name,
  key: Type.Optional(Type.String()),
  recovery_code: Type.Optional(Type.String()),
  keep: Type.Optional(Type.String()),
  key_note: Type.Optional(Type.String()),
};
/** A post from before the claim that mentions the name. */
const LeanMention = Type.Object({
  room: Type.String(),
  n: Type.Integer(),
  by: Type.String(),
  claimed: Type.Optional(Type.Literal(true)),
  ts: Type.String(),
  excerpt: Type.String(),
});
export type LeanMention = Static<typeof LeanMention>;
export const ClaimOutput = Type.Object({
  ...secrets,
  receipt: Type.Optional(Claimed.properties.receipt),
  mentions: Type.Optional(Type.Array(LeanMention)),
  treat_as: Type.Optional(Type.String()),
});
export type ClaimOutput = Static<typeof ClaimOutput>;
export const RecoverOutput = Type.Object(secrets);
export const LookupInput = Type.Object({ name: Type.String({ description: "" }) });
