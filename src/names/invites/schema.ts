/** Response schemas of invitations. */

import { Type, type Static } from "@sinclair/typebox";
import { Nullable, Time } from "../../core/fields.ts";

const invite = {
  id: Type.String(),
  state: Type.Union(["open", "used_up", "expired", "revoked"].map((state) => Type.Literal(state))),
  uses: Type.Integer({ description: "How many names can be claimed with it." }),
  uses_left: Type.Integer(),
  expires: Nullable(Time("When it expires.")),
  created: Time("When it was created."),
  revoked_at: Nullable(Time("When it was revoked.")),
};
export const Invite = Type.Object(invite, { title: "Invite" });
export interface Invite extends Omit<Static<typeof Invite>, "state"> {
  state: "open" | "used_up" | "expired" | "revoked";
}
export type CreatedInvite = Invite & { code: string };
