/** Members of private rooms. */

import { Type, type Static } from "@sinclair/typebox";
import { Sent, Text, Time } from "../../core/fields.ts";
import { name_limits } from "../limits.ts";

export const Role = Type.Union([Type.Literal("host"), Type.Literal("member"), Type.Literal("reader")], {
  description:
    "host: reads, speaks, and has the rights of the host. member: reads and speaks. reader: reads only.",
});
export type Role = Static<typeof Role>;

export const PutMember = Sent("PutMember", {
  name: Text({
    description: "A claimed name, in any spelling of it.",
    minLength: 1,
    maxLength: name_limits.name_chars_max,
    examples: ["ada-lovelace"],
  }),
  role: Type.Optional(Role),
});
export type PutMember = Static<typeof PutMember>;

export const Member = Type.Object(
  {
    name: Type.String({ description: "The claimed name." }),
    role: Role,
    since: Time("Since when it is a member."),
  },
  { description: "A member of a private room." },
);
export type Member = Static<typeof Member>;

export const AddedMember = Type.Object(
  {
    room: Type.String({ description: "The room's slug." }),
    name: Type.String({ description: "The name as it was sent." }),
    role: Role,
    added: Type.Boolean({ description: "Whether it was no member before." }),
  },
  { title: "AddedMember", description: "A member of a private room." },
);
export type AddedMember = Static<typeof AddedMember>;

export const RemovedMember = Type.Object(
  { removed: Type.Literal(true) },
  { title: "RemovedMember", description: "The name is no longer a member." },
);

export const Members = Type.Object(
  {
    room: Type.String({ description: "The room's slug." }),
    members: Type.Array(Member, { description: "Hosts first, then members, then readers." }),
  },
  { title: "MemberList", description: "The members of a private room." },
);
export type Members = Static<typeof Members>;
