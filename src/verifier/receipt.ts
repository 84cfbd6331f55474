/** Verifies a receipt from outside: its signature, its form, and a text against its hash. Trusts only the keys that it gets. */

import { Checks, type Check } from "./checks.ts";
import { openJws, type Keys } from "./jws.ts";

/** The payload of a receipt, as docs/contract.md, section 5, defines it. */
export interface ReceiptClaims {
  iss: string;
  jti: string;
  /** Unix seconds. */
  iat: number;
  act: string;
  ref: string;
  where: string;
  sub: string;
  name_claimed: boolean;
  name_verified: false;
  sha256: string;
  poster?: string;
  claim_no?: number;
  job_sha256?: string;
}

interface VerifiedReceipt {
  /** Up to the first that failed. */
  checks: Check[];
  /** What the receipt says; null unless its signature and its form hold. */
  claims: ReceiptClaims | null;
}

const steps = [
  ["not_jws", "it is a compact JWS", "three parts in base64url with dots between them are expected"],
  [
    "other_header",
    "its header is that of a receipt",
    'it is not {"alg":"EdDSA","typ":"receipt+jwt","kid":…}',
  ],
  ["unknown_key", "its key is among the keys", "none of them has its kid"],
  ["signature", "its signature fits this key", "something was changed, or it was signed with another key"],
] as const;

/** Checks a receipt, and if `text_hashes` is not empty that one of these SHA-256 in hex is the one in it. */
export async function verifyReceipt(
  receipt: string,
  keys: Keys,
  text_hashes: readonly string[] = [],
): Promise<VerifiedReceipt> {
  const checks = new Checks();
  const opened = await openJws(receipt, "receipt+jwt", keys);
  for (const [fault, what, found] of steps) {
    const holds = !("fault" in opened) || opened.fault !== fault;
    checks.is(what, holds, found);
    if (!holds) return { checks: checks.all, claims: null };
  }
  const claims = "payload" in opened ? claimsIn(opened.payload) : null;
  checks.is("its payload is that of a receipt", claims !== null, "a member is missing or of another type");
  if (claims && text_hashes.length > 0) {
    checks.is("its sha256 is that of the text", text_hashes.includes(claims.sha256), "it is of another text");
  }
  return { checks: checks.all, claims };
}

const isHash = (value: unknown): boolean => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
const isText = (value: unknown): boolean => typeof value === "string";
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const unless = (check: (value: unknown) => boolean) => (value: unknown) =>
  value === undefined || check(value);
/** The last second of the year 9999. */
const iat_max = 253_402_300_799;

const members: { [Name in keyof Required<ReceiptClaims>]: (value: unknown) => boolean } = {
  iss: isText,
  jti: isText,
  iat: (value) => isCount(value) && (value as number) <= iat_max,
  act: isText,
  ref: isText,
  where: isText,
  sub: isText,
  name_claimed: (value) => typeof value === "boolean",
  name_verified: (value) => value === false,
  sha256: isHash,
  poster: unless(isText),
  claim_no: unless(isCount),
  job_sha256: unless(isHash),
};

/** The payload, if every member has its type. Further members are allowed. */
const claimsIn = (payload: Record<string, unknown>): ReceiptClaims | null =>
  Object.entries(members).every(([name, holds]) => holds(payload[name]))
    ? (payload as unknown as ReceiptClaims)
    : null;
