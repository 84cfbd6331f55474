/** Authentication: checks secrets, and turns credentials into callers. No other file creates a caller. */

import type { Caller, Credential, Identity } from "../core/caller.ts";
import { caller_errors } from "../core/caller_errors.ts";
import { ServiceError, type FailureExtra } from "../core/errors.ts";
import { isSecret, sameDigest, secret_prefixes, sha256Hex } from "../core/secrets.ts";
import type { Tx } from "../core/storage.ts";
import { canonicalName } from "./canonical.ts";
import { refuseSuspended } from "./standing.ts";
import { findNameByKey, findNameByPreviousKey, findNameSteadily } from "./store.ts";

// `address` is a lazy getter, because it costs a system call.
const callerFrom = (
  address: () => string,
  identity: Identity | null,
  { session = null, grant = null }: { session?: string | null; grant?: string | null } = {},
): Caller =>
  ({
    get address() {
      return address();
    },
    identity,
    session,
    grant,
    budget: null,
    replayed: false,
  }) as Caller;

/** A caller without a credential. */
export const anonymous = (address: () => string): Caller => callerFrom(address, null);

/** The caller at `address` with this session, under its name if it has one. */
export const callerOf = (address: () => string, session: { id: string; identity: Identity | null }): Caller =>
  callerFrom(address, session.identity, { session: session.id });

/** The caller at `address` with the access token of this grant. */
export const callerWithGrant = (address: () => string, grant: { id: string; identity: Identity }): Caller =>
  callerFrom(address, grant.identity, { grant: grant.id });

/** The caller at `address` with the given credential. Throws `unknown_credential`, or `name_suspended`. */
export const authenticate = async (
  tx: Tx,
  address: () => string,
  credential: Credential,
  now_ms: number,
): Promise<Caller> => callerFrom(address, await identify(tx, credential, now_ms));

/**
 * The caller whose key was replaced by the last change of keys; else null. Used to answer a repetition of the call that
 * replaced the key. Such a caller can write nothing, because every command checks the key again.
 */
export async function authenticateFormer(
  tx: Tx,
  address: () => string,
  { name, key }: Credential,
): Promise<Caller | null> {
  if (key === null) return null;
  const key_sha256 = sha256Hex(key);
  const row = await findNameByPreviousKey(tx, key_sha256);
  if (!row || (name !== null && canonicalName(name) !== row.canonical)) return null;
  return callerFrom(address, { name: row.name, canonical: row.canonical, key_sha256 });
}

async function identify(tx: Tx, { name, key }: Credential, now_ms: number): Promise<Identity> {
  const key_sha256 = sha256Hex(key ?? "");
  const row = await (name === null
    ? findNameByKey(tx, key_sha256)
    : findNameSteadily(tx, canonicalName(name)));
  const is_right = fits(row?.key_sha256, key_sha256);
  if (row && is_right) {
    refuseSuspended(row, now_ms);
    return { name: row.name, canonical: row.canonical, key_sha256 };
  }
  if (key !== null && !isSecret(secret_prefixes.name_key, key)) throw noKey(key);
  throw unknownCredential();
}

/** The claimed name with this key, by its hash. Throws `unknown_credential` or `name_suspended`. */
export async function identityWithKey(
  tx: Tx,
  canonical: string,
  key_sha256: string,
  now_ms: number,
): Promise<Identity> {
  const row = await findNameSteadily(tx, canonical);
  if (!row || !fits(row.key_sha256, key_sha256)) throw unknownCredential();
  refuseSuspended(row, now_ms);
  return { name: row.name, canonical, key_sha256 };
}

/** The error for a text that cannot be a key of any name, so that the message reveals nothing about names. */
function noKey(key: string): ServiceError {
  const notKey = (kind: string) => `That is a ${kind}, not the key of a name.`;
  if (isSecret(secret_prefixes.host_key, key))
    return new ServiceError(caller_errors.unknown_credential, notKey("host_key"), { situation: "host_key" });
  if (isSecret(secret_prefixes.recovery_code, key))
    return new ServiceError(caller_errors.unknown_credential, notKey("recovery_code"), {
      situation: "recovery_code",
    });
  return key.startsWith(secret_prefixes.name_key)
    ? unknownCredential({ hint: mistyped })
    : unknownCredential({ hint: mistyped, situation: "no_key" });
}

const mistyped =
  "The key's checksum does not fit: it was mistyped or cut short. A key is wfk_ and 49 letters and digits.";

// Compared if no digest is stored.
const no_digest = sha256Hex("");

/** Whether `sent_sha256` is the stored digest. Takes the same time if none is stored. */
export function fits(stored: string | null | undefined, sent_sha256: string): boolean {
  const is_same = sameDigest(stored ?? no_digest, sent_sha256);
  return is_same && typeof stored === "string";
}

export const unknownCredential = (
  extra: FailureExtra = {
    hint: "Check the name and its key for typing errors, or leave them out where none is needed.",
  },
): ServiceError =>
  new ServiceError(
    caller_errors.unknown_credential,
    "That name and key do not belong together, or the key has been replaced.",
    extra,
  );
