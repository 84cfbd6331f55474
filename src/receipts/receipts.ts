/** The operations of receipts: issue and verify. */

import type { OperationDeps } from "../core/commands.ts";
import { keys_changed } from "./commands.ts";
import type { ReceiptCommands } from "./feature.ts";
import { sha256Hex } from "../core/secrets.ts";
import { verdictOf, warningAbout, type Opened } from "../api/receipts/attestations.ts";
import { base64url, newKey, publicJwk, publicPem, signerOf, verifierOf } from "./keys.ts";
import type { PublicKey, ReceiptPayload, ShownReceipt, Verdict } from "../api/receipts/receipts.ts";
import { allKeys, type KeyRow } from "./store.ts";

/** The contents of a receipt. */
export interface ReceiptSource {
  /** The kind of write, such as `meet.speak`. */
  act: string;
  /** The id of the written object. With `act` it forms the receipt's id, so a write always has the same receipt. */
  ref: string;
  /** The path of the object. */
  where: string;
  /** ISO time of the write. */
  at: string;
  name: string;
  name_claimed: boolean;
  /** The stored text. The receipt carries its hash. */
  text: string;
  /** Only for deliveries. */
  more?: { poster: string; claim_no: number; job_sha256: string };
}

/** The line of a receipt in the export of a name: it is signed again. */
export type ReceiptLineOf = (source: ReceiptSource) => Record<"kind" | "act" | "ref" | "receipt", string>;

export type Receipts = ReturnType<typeof receiptsWith>;

const receipt_type = "receipt+jwt";

/**
 * Loads the keys; creates one if none is active. `issuer` returns the `iss` of receipts: the base URL or the
 * listening address, never a caller's Host header. Only the key decides whether a receipt is valid, so receipts with an
 * earlier address stay valid. Signing is synchronous because it takes only a few microseconds. If another process replaces the key,
 * it is read again.
 */
export async function createReceipts(
  { storage, clock, random }: OperationDeps<ReceiptCommands>,
  issuer: () => string,
): Promise<Receipts> {
  let keys = await storage.read(allKeys);
  // An import without secrets has retired keys only.
  if (!keys.some(({ retired_at }) => retired_at === null)) {
    const input = { key: newKey(random), replaces: null, now_ms: clock.now() };
    keys = (await storage.write("receipts.add_key", input)).result;
  }
  let receipts = receiptsWith(keys, issuer);
  storage.onChange("invalidate", (topic) => {
    if (topic !== keys_changed && topic !== null) return undefined;
    return storage.read(allKeys).then((read) => void (receipts = receiptsWith(read, issuer)));
  });
  return {
    sign: (typ, payload) => receipts.sign(typ, payload),
    issue: (source) => receipts.issue(source),
    shown: (source) => receipts.shown(source),
    verify: (receipt) => receipts.verify(receipt),
    key: () => receipts.key(),
    pem: () => receipts.pem(),
    keySet: () => receipts.keySet(),
  };
}

/** Receipts with the given keys; the first key signs. `issuer` returns the `iss` of new receipts. */
export function receiptsWith(keys: KeyRow[], issuer: () => string) {
  const [active] = keys as [KeyRow];
  const signWith = signerOf(active.d);
  const verifiers = new Map(keys.map(({ kid, x }) => [kid, verifierOf(x)]));
  const key_set = { keys: keys.map(publicJwk) };
  const pem = publicPem(active.x);

  function sign(typ: string, payload: object): string {
    const header = base64url(JSON.stringify({ alg: "EdDSA", typ, kid: active.kid }));
    const signed = `${header}.${base64url(JSON.stringify(payload))}`;
    return `${signed}.${signWith(signed)}`;
  }

  function issue({ act, ref, where, at, name, name_claimed, text, more }: ReceiptSource): string {
    const payload: ReceiptPayload = {
      iss: issuer(),
      jti: `${act}:${ref}`,
      iat: Math.floor(Date.parse(at) / 1000),
      act,
      ref,
      where,
      sub: name,
      name_claimed,
      name_verified: false,
      sha256: sha256Hex(text),
      ...more,
    };
    return sign(receipt_type, payload);
  }

  return {
    /** Signs `payload` as a compact JWS with the header `typ`. */
    sign,

    /** Signs a receipt for a durable write. */
    issue,

    /** A receipt for a page. */
    shown: (source: ReceiptSource): ShownReceipt => ({
      act: source.act,
      receipt: issue(source),
      warning: warningAbout(source.where),
    }),

    /** Checks a receipt. */
    verify: (receipt: string): Verdict => verdictOf(opened(receipt, verifiers)),

    /** The active key. */
    key: (): PublicKey => publicJwk(active),

    /** The active key as PEM. */
    pem: (): string => pem,

    /** Every key that ever signed. */
    keySet: (): { keys: PublicKey[] } => key_set,
  };
}

/** Verifies a receipt: a compact JWS (RFC 7515, section 5.2) signed by one of these keys. */
function opened(receipt: string, verifiers: Map<string, ReturnType<typeof verifierOf>>): Opened {
  const parts = receipt.trim().split(".");
  if (parts.length !== 3 || !parts.every((part) => /^[\w-]+$/.test(part))) return { fault: "not_jws" };
  const [header_part, payload_part, signature_part] = parts as [string, string, string];
  const header = jsonOf(header_part);
  if (
    header?.alg !== "EdDSA" ||
    header.typ !== receipt_type ||
    "crit" in header ||
    typeof header.kid !== "string"
  ) {
    return { fault: "other_header" };
  }
  const verify = verifiers.get(header.kid);
  if (!verify) return { fault: "unknown_key" };
  const signature = Buffer.from(signature_part, "base64url");
  // Reject non-canonical base64url.
  if (base64url(signature) !== signature_part || !verify(`${header_part}.${payload_part}`, signature)) {
    return { fault: "signature" };
  }
  return { payload: jsonOf(payload_part) as ReceiptPayload };
}

/** The JSON object in a part of a JWS; null if there is none. */
function jsonOf(part: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString());
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
