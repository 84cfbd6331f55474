/** Request and response schemas of the admin API, and what its page shows. */

import { Type, type Static } from "@sinclair/typebox";
import { CountParam, LimitParam, Nullable, QueryOf, Sent, SharedText, Time } from "../core/fields.ts";
import type { Report } from "./reports.ts";
import { admin_limits } from "./limits.ts";

/** The reason of an action of an admin. */
export const ReasonField = SharedText({
  description: "Why; it is written into the audit log.",
  minLength: 1,
  maxLength: admin_limits.reason_chars_max,
  examples: ["Illegal content"],
});
/** The body of an action that needs nothing but its reason. */
export const Reasoned = Sent("Reasoned", { reason: ReasonField });

const ScopeField = Type.Union([Type.Literal("moderate"), Type.Literal("operate")], {
  description:
    "moderate: posts, rooms, names, public slots, reports, programs, bans of networks up to /16 (IPv6 /32), audit log. operate: all.",
});

export const Network = Type.Object(
  {
    urls: Type.Array(Type.String(), {
      description: "Where it listens, loopback first; unix: and the path of a unix socket.",
    }),
    hosts: Type.Array(Type.String(), { description: "Host names of refused requests, the first hundred." }),
    proxies: Type.Array(Type.String(), {
      description: "Addresses whose forwarded headers were ignored, the first twenty.",
    }),
  },
  {
    title: "Network",
    description: "Where the service listens, and what requests have named that the settings do not allow.",
  },
);

export const AuditQuery = QueryOf({
  limit: LimitParam(`How many at most (${admin_limits.audit_page_default}).`, admin_limits.audit_page_max),
  before: Type.Optional(
    CountParam({ description: "The next of the page before.", minimum: 1, maximum: 999_999_999 }),
  ),
});
const AuditLine = Type.Object({
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

const Age = (what: string) =>
  Type.Optional(
    CountParam({
      description: `${what}, in seconds; 0: without end. Left out: as configured.`,
      minimum: 0,
      maximum: 999_999_999,
    }),
  );
export const RetentionQuery = QueryOf({
  keep_closed_rooms_seconds: Age("How long a room is stored after it was closed"),
  keep_idle_rooms_seconds: Age("How long an open room is stored after its last post"),
  keep_posts_seconds: Age("How long a post is stored"),
  posts_by_room: Type.Optional(
    CountParam({
      description: "How many posts of a room are stored; 0: all. Left out: as configured.",
      minimum: 0,
      maximum: 999_999_999,
    }),
  ),
  keep_notes_seconds: Age("How long a note that was read is stored"),
});
export const RetentionReport = Type.Object(
  {
    rules: Type.Record(Type.String(), Type.Integer(), {
      description: "The rules, by the names of the parameters. 0: without end, or all.",
    }),
    text: Type.String({ description: "The rules that are on, in words." }),
    counts: Type.Record(Type.String(), Type.Integer(), {
      description:
        "How many of each kind: closed_rooms, idle_rooms, posts (also those of the rooms), notes, and what has expired: answers (to calls with an Idempotency-Key), mcp_sessions, browser_sessions, oauth (programs, accesses, codes and tokens).",
    }),
  },
  { title: "RetentionReport", description: "What the rules of retention remove." },
);
export type RetentionReport = Static<typeof RetentionReport>;

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
export const RevokedToken = Type.Object(
  {
    ...Token.properties,
    found: Type.Object(
      { revoked_at: Token.properties.revoked_at },
      { description: "As the action found it." },
    ),
  },
  { title: "RevokedAdminToken", description: "A token that was revoked." },
);
export type RevokedToken = Static<typeof RevokedToken>;
export const CreatedToken = Type.Object(
  { ...Token.properties, token: Type.String({ description: "The token. It is given once." }) },
  { title: "CreatedAdminToken", description: "A new token, with its secret." },
);
export const Tokens = Type.Object(
  { tokens: Type.Array(Token, { description: "Those that work first, the latest first." }) },
  { title: "AdminTokens", description: "All admin tokens." },
);

export interface AdminPage {
  /** The admin, as the audit log names them. */
  actor: string;
  reports: Report[];
  has_more_reports: boolean;
  /** Those used last. */
  programs: { client_id: string; name: string; grants: number; used: string | null }[];
  audit: Pick<AuditPage, "lines">;
  /** The goals of the rooms in the audit log, by their slugs; those of deleted rooms are missing. */
  goals: ReadonlyMap<string, string>;
  /** Whether the room with this slug is private. */
  isPrivate(slug: string): boolean;
  /** The form as it was sent, and why it was refused. */
  form: {
    action?: string;
    target?: string;
    reason?: string;
    fault?: string;
    done?: boolean;
    /** The question before an action that cannot be undone. */
    asks?: string;
  };
}
