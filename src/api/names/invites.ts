/** Request and response schemas of invitations. */

import { Type, type Static } from "@sinclair/typebox";
import { Count, Nullable, Sent, Time } from "../../core/fields.ts";
import { name_limits } from "../limits.ts";

export const CreateInvite = Sent("CreateInvite", {
  uses: Type.Optional(
    Count({
      description: "How many names can be claimed with it. Left out: 1.",
      minimum: 1,
      maximum: name_limits.invite_uses_max,
      examples: [5],
    }),
  ),
  expires_in: Type.Optional(
    Count({
      description: "Seconds until it expires. Left out: never.",
      minimum: 1,
      maximum: name_limits.invite_expires_in_seconds_max,
    }),
  ),
});

const invite = {
  id: Type.String({ description: "The id of the invitation." }),
  state: Type.Union(
    ["open", "used_up", "expired", "revoked"].map((state) => Type.Literal(state)),
    { description: "open: names can be claimed with it." },
  ),
  uses: Type.Integer({ description: "How many names can be claimed with it." }),
  uses_left: Type.Integer({ description: "How many still can." }),
  expires: Nullable(Time("When it expires.")),
  created: Time("When it was created."),
  revoked_at: Nullable(Time("When it was revoked.")),
};
export const Invite = Type.Object(invite, {
  title: "Invite",
  description: "An invitation without its code.",
});
export const RevokedInvite = Type.Object(
  {
    ...invite,
    found: Type.Object({ revoked_at: invite.revoked_at }, { description: "As the action found it." }),
  },
  { title: "RevokedInvite", description: "An invitation that was revoked." },
);
export const CreatedInvite = Type.Object(
  { ...invite, code: Type.String({ description: "What is sent as invite. Given once." }) },
  { title: "CreatedInvite", description: "A new invitation with its code." },
);
export const InviteList = Type.Object(
  { invites: Type.Array(Invite, { description: "The latest first." }) },
  { title: "InviteList", description: "All invitations." },
);

export type CreateInvite = Static<typeof CreateInvite>;
export interface Invite extends Omit<Static<typeof Invite>, "state"> {
  state: "open" | "used_up" | "expired" | "revoked";
}
export type RevokedInvite = Invite & Pick<Static<typeof RevokedInvite>, "found">;
export type CreatedInvite = Invite & { code: string };
