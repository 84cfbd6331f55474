/** Request and response schemas of receipts, and what their page shows. */

import { Type, type Static } from "@sinclair/typebox";
import { Sent, Text } from "../../core/fields.ts";
import { receipt_limits } from "../limits.ts";

/** The payload of a receipt: who wrote what, when and where, and the hash of the stored text. */
export const ReceiptPayload = Type.Object(
  {
    iss: Type.String({
      description: "The service that signed it: its base URL, or the address it listened at.",
    }),
    jti: Type.String({ description: "The receipt's own id: one act, one id." }),
    iat: Type.Integer({
      description: "When the act was stored, in unix seconds. Of job.accept: the acceptance.",
    }),
    act: Type.String({ description: "What was done, such as meet.speak or job.deliver." }),
    ref: Type.String({ description: "The id of what it was done to." }),
    where: Type.String({ description: "The path where it can be read." }),
    sub: Type.String({ description: "The name it was done under." }),
    name_claimed: Type.Boolean({
      description: "Whether the name was claimed and its key was shown (of job.accept: at the delivery).",
    }),
    name_verified: Type.Literal(false, { description: "No name here is a verified identity." }),
    sha256: Type.String({
      description:
        "SHA-256, in hex, of a text in UTF-8. Of meet.open: the goal. Of meet.speak: the body. Of name.claim: the name as it was " +
        "claimed. Of job.post: title, two line feeds, detail. Of job.deliver and job.accept: the result.",
    }),
    poster: Type.Optional(Type.String({ description: "Of deliveries: who posted the job." })),
    claim_no: Type.Optional(Type.Integer({ description: "Of deliveries: under which claim." })),
    job_sha256: Type.Optional(Type.String({ description: "Of deliveries: sha256 of the job.post." })),
  },
  {
    title: "ReceiptPayload",
    description: "Who did what, when and where, and the hash of the stored text.",
    additionalProperties: true,
  },
);

export const ReceiptField = Text({
  description: "The receipt: a compact JWS.",
  minLength: 1,
  maxLength: receipt_limits.receipt_chars_max,
  examples: ["eyJhbGciOiJFZERTQSIs…"],
});
export const VerifyReceipt = Sent("VerifyReceipt", { receipt: ReceiptField });

export const Verdict = Type.Object(
  {
    verdict: Type.Union([Type.Literal("valid"), Type.Literal("invalid"), Type.Literal("unknown_key")], {
      description: "unknown_key: no key of this service signed it.",
    }),
    payload: Type.Optional(ReceiptPayload),
    attests: Type.String({ description: "What it proves: of its kind of act, and no more." }),
    sha256_of: Type.Optional(
      Type.String({ description: "The text that sha256 in the payload is the hash of." }),
    ),
    warning: Type.Optional(Type.String({ description: "Why not to show it to everybody." })),
    does_not_attest: Type.String({ description: "What it does not." }),
    reason: Type.Optional(Type.String({ description: "Why it is not valid." })),
  },
  { title: "ReceiptVerdict", description: "What a receipt is worth." },
);

export const PublicKey = Type.Object(
  {
    kty: Type.Literal("OKP", { description: "RFC 8037: an octet key pair." }),
    crv: Type.Literal("Ed25519", { description: "RFC 8032." }),
    kid: Type.String({ description: "The key's RFC 7638 thumbprint." }),
    use: Type.Literal("sig", { description: "It signs." }),
    x: Type.String({ description: "The 32 bytes of the public key in base64url." }),
  },
  { title: "PublicKey", description: "A public key (RFC 7517)." },
);
export const KeySet = Type.Object(
  { keys: Type.Array(PublicKey, { description: "The key in use is the first." }) },
  { title: "KeySet", description: "A JWK set (RFC 7517)." },
);
export const ReceiptKey = Type.Object(
  {
    key: PublicKey,
    pem: Type.String({ description: "The same key as PEM." }),
    all_keys: Type.String({ format: "uri", description: "Every key that ever signed here." }),
    how: Type.Array(Type.String(), { description: "How to check a receipt without this service." }),
  },
  { title: "ReceiptKey", description: "The key that signs receipts." },
);

export type ReceiptPayload = Static<typeof ReceiptPayload>;
export type Verdict = Static<typeof Verdict>;
export type PublicKey = Static<typeof PublicKey>;

const { does_not_attest: _none, attests, ...verdict } = Verdict.properties;
export const VerifyOutput = Type.Object({
  ...verdict,
  attests: Type.Optional(attests),
  treat_as: Type.Optional(Type.String()),
});

/** A receipt of the reader, as pages link it. */
export interface ShownReceipt extends Pick<Verdict, "warning"> {
  act: string;
  receipt: string;
}

export const ReceiptKind = Type.Union(
  [Type.Literal("rooms"), Type.Literal("posts"), Type.Literal("jobs"), Type.Literal("names")],
  { description: "Only receipts of these." },
);
export type ReceiptKind = Static<typeof ReceiptKind>;

/** A receipt in the list of its name. */
export interface ListedReceipt extends ShownReceipt {
  /** The ISO time of what it attests. */
  at: string;
  /** The goal of the room, the title of the job, or the name. */
  title: string;
  /** The object, below the base. */
  path: string;
  /** Whether it is of what the reader did, and not the poster's of somebody else's delivery. */
  by_me: boolean;
  /** Who posted the job or, if it is not by the reader, who delivered it. */
  other?: string;
}

/** The shell lines that check a receipt without the service. */
export interface CheckLines {
  lines: string[];
  /** For a key that was retired. */
  retired: string[];
}
