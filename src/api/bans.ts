/** Request and response schemas of bans. */

import { Type } from "@sinclair/typebox";
import { ReasonField } from "./admin.ts";
import { CursorParam, LimitParam, NextPage, Nullable, QueryOf, Sent, Text, Time } from "../core/fields.ts";
import { ban_limits } from "./limits.ts";

const NetworkField = Text({
  description: "An address or a CIDR block. An IPv6 address alone means its /64.",
  minLength: 1,
  maxLength: 64,
  pattern: "^[0-9A-Fa-f:.]+(?:/[0-9]{1,3})?$",
  examples: ["192.0.2.0/24"],
});
export const BanNetwork = Sent("BanNetwork", {
  network: NetworkField,
  until: Type.Optional(Nullable(Time("When the ban ends; without it never."))),
  reason: ReasonField,
});
export const LiftBan = Sent("LiftBan", { network: NetworkField, reason: ReasonField });
export const BansQuery = QueryOf({
  limit: LimitParam(`How many at most (${ban_limits.bans_page_default}).`, ban_limits.bans_page_max),
  cursor: CursorParam,
});
export const Ban = Type.Object(
  {
    network: Type.String({ description: "The network, as a CIDR block." }),
    until: Nullable(Time("When it ends.")),
    reason: Type.String({ description: "Why." }),
    created: Time("When it began."),
  },
  { title: "Ban", description: "A network whose calls are refused." },
);
const Before = Nullable(
  Type.Object(
    { until: Ban.properties.until, reason: Ban.properties.reason, created: Ban.properties.created },
    { description: "The ban before." },
  ),
);
export const BannedNetwork = Type.Object(
  {
    ...Ban.properties,
    found: Type.Object(
      {
        ban: Before,
        open_calls: Type.Integer({
          description:
            "How many waits and streams from it this node ended. Addresses of earlier calls are not stored.",
        }),
      },
      { description: "What the ban found." },
    ),
  },
  { title: "BannedNetwork" },
);
export const Bans = Type.Object(
  { bans: Type.Array(Ban, { description: "In the order of their text." }), next: NextPage },
  { title: "BanList", description: "A page of bans." },
);
export const Lifted = Type.Object(
  {
    network: Type.String({ description: "The network, as a CIDR block." }),
    lifted: Type.Boolean({ description: "Whether exactly it was banned." }),
    found: Before,
  },
  { title: "BanLifted" },
);
