/** Request and response schemas of the admin API. */

import { Type, type Static } from "@sinclair/typebox";
import { CountParam, LimitParam, Nullable, QueryOf, Sent, SharedText, Time } from "../core/fields.ts";
import { admin_limits } from "./limits.ts";

/** Why an admin acts. */
export const ReasonField = SharedText({
  description: "Why; it is written into the audit log.",
  minLength: 1,
  maxLength: admin_limits.reason_chars_max,
  examples: ["Illegal content"],
});
/** The body of an action that needs nothing but its reason. */
export const Reasoned = Sent("Reasoned", { reason: ReasonField });

export const ScopeField = Type.Union([Type.Literal("moderate"), Type.Literal("operate")], {
  description: "moderate: posts, rooms, names, bans, reports, audit log. operate: all.",
});

export const AuditQuery = QueryOf({
  limit: LimitParam(`How many at most (${admin_limits.audit_page_default}).`, admin_limits.audit_page_max),
  before: Type.Optional(
    CountParam({ description: "The next of the page before.", minimum: 1, maximum: 999_999_999 }),
  ),
});
export const AuditLine = Type.Object({
  seq: Type.Integer({ description: "Its place in the log: 1, 2, 3, …" }),
  at: Time("When."),
  actor: Type.String({ description: "owner, or token: and its label." }),
  action: Type.String({ description: "What was done.", examples: ["post.hide"] }),
  target: Type.String({
    description: "To what: a post, a room, a name, a network.",
    examples: ["a-room#57"],
  }),
  reason: Type.String({ description: "Why." }),
});
export const AuditPage = Type.Object(
  {
    lines: Type.Array(AuditLine, { description: "The actions." }),
    next: Nullable(Type.Integer({ description: "The before of the next page." })),
  },
  { title: "AuditPage", description: "The latest first." },
);
export type AuditPage = Static<typeof AuditPage>;

export const ExportQuery = QueryOf({
  secrets: Type.Optional(
    Type.Literal("1", {
      description: "With keys, secrets and what only its owner reads: an equal database.",
    }),
  ),
});

export const BackupQuery = QueryOf({
  compress: Type.Optional(
    Type.Union([Type.Literal("none"), Type.Literal("zstd")], { description: "none, or zstd." }),
  ),
});

export const CreateToken = Sent("CreateToken", {
  label: SharedText({
    description: "Whose token it is; it stands in the audit log.",
    minLength: 1,
    maxLength: admin_limits.label_chars_max,
    examples: ["grace"],
  }),
  scope: ScopeField,
});
export const Token = Type.Object(
  {
    id: Type.String({ description: "The id of the token." }),
    label: Type.String({ description: "Whose token it is." }),
    scope: ScopeField,
    created: Time("When it was made."),
    revoked_at: Nullable(Time("When it was revoked.")),
  },
  { title: "AdminToken", description: "A token without its secret." },
);
export type Token = Static<typeof Token>;
export const CreatedToken = Type.Object(
  { ...Token.properties, token: Type.String({ description: "The token. It is given once." }) },
  { title: "CreatedAdminToken", description: "A new token, with its secret." },
);
export const Tokens = Type.Object(
  { tokens: Type.Array(Token, { description: "Those that work first, the latest first." }) },
  { title: "AdminTokens", description: "All admin tokens." },
);
