/** Request and response schemas of webhooks. */

import { Type, type Static } from "@sinclair/typebox";
import { Sent, Text, Time } from "../core/fields.ts";
import { webhook_limits } from "./limits.ts";
import { note_kinds, type NoteKind } from "./mailbox.ts";
import type { Refusal } from "./pages.ts";

/** The kind of notes about the webhook of a name itself. They cause no call. */
export const own_kind = "name.webhook";

/** The kinds of notes that can cause a call: a new key has ended the webhook before its note is there. */
const caused_by = note_kinds.filter((kind) => kind !== own_kind && kind !== "name.key_changed");
export type CausingKind = Exclude<NoteKind, typeof own_kind | "name.key_changed">;

const CausedBy = Type.Union(
  caused_by.map((kind) => Type.Literal(kind)),
  { description: "A kind of notes." },
);

/** Why a call failed. No more is said of the network of the service, and nothing of the answer but its status. */
const call_faults = [
  "invalid_address",
  "not_https",
  "no_public_host",
  "unreachable",
  "tls",
  "timeout",
  "redirect",
  "too_large",
  "invalid_answer",
  "status",
  "no_challenge",
  "unreadable_header",
] as const;
export type CallFault = (typeof call_faults)[number];

const Because = Type.Union(
  call_faults.map((fault) => Type.Literal(fault)),
  { description: "The kind of failure." },
);
const Status = Type.Integer({ description: "The status of the answer, if there was one." });

export const CallFailed = Type.Object(
  { because: Because, status: Type.Optional(Status) },
  { title: "WebhookFailure", description: "Why a call of a webhook failed." },
);
export type CallFailed = Static<typeof CallFailed>;

/** The members of a refusal. `status` is the refusal's own (RFC 9457, section 3.1.2). */
export const WebhookRefused = Type.Object({ because: Because, receiver_status: Type.Optional(Status) });
export type WebhookRefused = Static<typeof WebhookRefused>;

export const SetWebhook = Sent("SetWebhook", {
  url: Text({
    description:
      "Where the service sends POST requests. https, unless the operator allows the network of the receiver.",
    minLength: 1,
    maxLength: webhook_limits.url_chars_max,
    examples: ["https://agent.example/wharf"],
  }),
  kinds: Type.Optional(
    Type.Array(CausedBy, {
      description: "The kinds of notes that cause a call. Left out: all.",
      minItems: 1,
      maxItems: webhook_limits.kinds_max,
      examples: [["room.mention", "job.claimed"]],
    }),
  ),
  authorization: Type.Optional(
    Text({
      description:
        "The Authorization header of each call, if the receiver wants one: visible ASCII characters and spaces. Stored encrypted, and shown to nobody.",
      minLength: 1,
      maxLength: webhook_limits.authorization_chars_max,
      examples: ["Bearer 0123456789"],
    }),
  ),
});
export type SetWebhook = Static<typeof SetWebhook>;

const webhook = {
  url: Type.String({ description: "Where calls go." }),
  kinds: Type.Optional(
    Type.Array(CausedBy, { description: "The kinds of notes that cause a call. Absent: all." }),
  ),
  has_authorization: Type.Boolean({ description: "Whether calls have an Authorization header." }),
  created: Time("When it was set."),
};

/** The call that was made last, or that is under way. */
const WebhookCall = Type.Object(
  {
    id: Type.String({ description: "The webhook-id of the call: the same whenever it is tried again." }),
    state: Type.Union([Type.Literal("queued"), Type.Literal("called"), Type.Literal("read")], {
      description:
        "queued: the receiver has not accepted it yet. called: it has. read: everything that it told of was read.",
    }),
    through: Type.Integer({ description: "The seq of the latest note that it tells of." }),
    queued_at: Time("When it was queued."),
    called_at: Type.Optional(Time("When the receiver accepted it.")),
    tries: Type.Integer({ description: "How often it was tried." }),
    next_try_at: Type.Optional(Time("When it is tried again.")),
    failed: Type.Optional(CallFailed),
  },
  { title: "WebhookCall", description: "The latest call of a webhook." },
);

export const Webhook = Type.Object(
  {
    ...webhook,
    asleep: Type.Boolean({
      description:
        "Whether its receiver has failed for a day: then it is called once a day, until a call or a test succeeds.",
    }),
    call: Type.Optional(WebhookCall),
  },
  { title: "Webhook", description: "The webhook of a name." },
);
export type Webhook = Static<typeof Webhook>;

export const WebhookSet = Type.Object(
  {
    ...webhook,
    secret: Type.String({
      description: "The secret with which calls are signed. It is shown once.",
    }),
    previous_secret_until: Type.Optional(
      Time("Until then calls have a second signature, with the secret before: it had the same address."),
    ),
  },
  { title: "WebhookSet", description: "The webhook, and its secret." },
);
export type WebhookSet = Static<typeof WebhookSet>;

export const WebhookDeleted = Type.Object(
  { deleted: Type.Literal(true) },
  { title: "WebhookDeleted", description: "The webhook is deleted." },
);

export const WebhookTested = Type.Object(
  {
    delivered: Type.Boolean({ description: "Whether the receiver has accepted the call." }),
    status: Type.Optional(Status),
    because: Type.Optional(Because),
  },
  { title: "WebhookTested", description: "How the call for a test ended." },
);
export type WebhookTested = Static<typeof WebhookTested>;

/** What the page of the webhook shows once. */
export type GivenSecret = Pick<WebhookSet, "secret" | "created" | "previous_secret_until">;

/** The form that sets a webhook: what was sent, without the Authorization header, and why it was refused. */
export interface WebhookForm {
  url: string;
  kinds: readonly string[];
  refusal: Refusal;
}
