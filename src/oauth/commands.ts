/** The write commands of signing in by OAuth. Their inputs contain only hashes of secrets. */

import { grantEndedTopic, type Identity, type NameRules } from "../core/caller.ts";
import { isoTime, steadyTime, type Moment } from "../core/clock.ts";
import { Overtaken, type Tx } from "../core/storage.ts";
import { oauth_limits } from "./limits.ts";
import * as store from "./store.ts";

/** What these commands need of names. */
export type OAuthRules = Pick<NameRules, "checkKey">;

const day_ms = 86_400_000;
const after = ({ now_ms, ahead_ms }: Moment, ms: number): string =>
  steadyTime({ now_ms: now_ms + ms, ahead_ms });
const grantExpiry = (at: Moment): string => after(at, oauth_limits.grant_idle_days * day_ms);

interface RegisterInput extends Moment {
  id: string;
  name: string;
  redirect_uris: string[];
  secret_sha256: string | null;
}

/** Registers a program (RFC 7591). If there are too many, it replaces the oldest one without a grant. */
export async function register(tx: Tx, { id, name, redirect_uris, secret_sha256, ...at }: RegisterInput) {
  if ((await store.countClients(tx)) >= oauth_limits.clients_max) await store.deleteOldestUnused(tx);
  await store.insertClient(tx, {
    id,
    origin: "registered",
    name,
    redirect_uris: JSON.stringify(redirect_uris),
    secret_sha256,
    created: isoTime(at.now_ms),
    expires: after(at, oauth_limits.unused_client_days * day_ms),
  });
  return null;
}

interface AllowInput extends Moment {
  identity: Identity;
  code: Omit<store.CodeRow, "grant_id" | "issued" | "name" | "key_sha256">;
}

/** Stores the code with which a name lets a program in. Throws `unknown_credential` or `name_suspended`. */
export async function allow(tx: Tx, { checkKey }: OAuthRules, input: AllowInput): Promise<null> {
  const { identity, code, ...at } = input;
  await checkKey(tx, identity, at.now_ms);
  await store.deleteCodesBefore(tx, after(at, -oauth_limits.used_code_seconds * 1000));
  await store.insertCode(tx, {
    ...code,
    name: identity.canonical,
    key_sha256: identity.key_sha256,
    grant_id: null,
    issued: steadyTime(at),
  });
  return null;
}

/** The hashes of the tokens that a program gets. `expires`: steady time. */
interface NewTokens {
  access: { token_sha256: string; expires: string };
  refresh_sha256: string;
}

interface ExchangeInput extends Moment {
  code_sha256: string;
  client: string;
  /** Null: the program has not sent it. */
  redirect_uri: string | null;
  resource: string | null;
  /** Of the verifier that the program has sent (RFC 7636, section 4.6). */
  challenge: string;
  grant_id: string;
  tokens: NewTokens;
}

/** What became of a code or a refresh token, and the scope of its tokens. */
export type Granted =
  { outcome: "issued" | "repeated"; scope: string } | { outcome: "reused" | "refused"; scope: null };

const refused: Granted = { outcome: "refused", scope: null };
/** It was used before, so its grant has ended. */
const reused: Granted = { outcome: "reused", scope: null };

/** Exchanges a code for a grant (RFC 6749, section 4.1.3). A code that is used again ends the grant that it has become. */
export async function exchange(tx: Tx, { checkKey }: OAuthRules, input: ExchangeInput): Promise<Granted> {
  const { code_sha256, client, redirect_uri, resource, challenge, grant_id, tokens, ...at } = input;
  const code = await store.findCode(tx, code_sha256);
  if (!code || code.client !== client || code.challenge !== challenge) return refused;
  if (redirect_uri !== null && redirect_uri !== code.redirect_uri) return refused;
  if (resource !== null && resource !== code.resource) return refused;
  if (code.grant_id !== null) {
    announceEnd(tx, await store.deleteGrant(tx, code.grant_id));
    return reused;
  }
  if (code.issued < after(at, -oauth_limits.code_seconds * 1000)) return refused;
  const { name, key_sha256, client_name, client_host, scope } = code;
  await checkKey(tx, { canonical: name, key_sha256 }, at.now_ms);
  await store.useCode(tx, code_sha256, grant_id);
  const now = isoTime(at.now_ms);
  await store.insertGrant(tx, {
    id: grant_id,
    ...{ name, key_sha256, client, client_name, client_host, scope, resource: code.resource },
    ...{ created: now, used: now, expires: grantExpiry(at) },
  });
  await store.insertRefresh(tx, { token_sha256: tokens.refresh_sha256, grant_id, n: 0, rotated: null });
  await store.putToken(tx, { ...tokens.access, grant_id });
  await store.keepClient(tx, client);
  announceEnd(tx, await store.deleteSurplusOf(tx, name, oauth_limits.grants_per_name_max));
  return { outcome: "issued", scope };
}

interface RefreshInput extends Moment {
  grant_id: string;
  token_sha256: string;
  /** The successor, which follows from the refresh token. */
  tokens: NewTokens;
}

/**
 * Exchanges a refresh token for its successor (RFC 9700, section 4.14.2). A repetition gets the same one: in any case for
 * `repeat_seconds`, and after that until the successor is used. A later repetition ends the grant.
 */
export async function refresh(tx: Tx, { checkKey }: OAuthRules, input: RefreshInput): Promise<Granted> {
  const { grant_id, token_sha256, tokens, ...at } = input;
  const grant = await store.findGrant(tx, grant_id);
  const found = await store.findRefresh(tx, token_sha256);
  if (!grant || !found || grant.expires <= steadyTime(at)) return refused;
  const { name, key_sha256 } = grant;
  await checkKey(tx, { canonical: name, key_sha256 }, at.now_ms);
  if (found.rotated !== null && !(await isRepeatable(tx, found, at))) {
    announceEnd(tx, await store.deleteGrant(tx, grant_id));
    return reused;
  }
  // First, as the end of a grant does, so that the two do not wait for each other.
  if ((await store.touchGrant(tx, grant_id, isoTime(at.now_ms), grantExpiry(at))) === 0)
    throw new Overtaken();
  if (found.rotated === null) {
    await store.rotateRefresh(tx, token_sha256, steadyTime(at));
    await store.insertRefresh(tx, {
      token_sha256: tokens.refresh_sha256,
      grant_id,
      n: found.n + 1,
      rotated: null,
    });
    await store.deleteRefreshesBefore(tx, grant_id, found.n - oauth_limits.remembered_refreshes);
  }
  await store.deleteTokensBefore(tx, grant_id, steadyTime(at));
  await store.putToken(tx, { ...tokens.access, grant_id });
  return { outcome: found.rotated === null ? "issued" : "repeated", scope: grant.scope };
}

/** Whether a refresh token that was used may be used again. */
async function isRepeatable(
  tx: Tx,
  { grant_id, n, rotated }: store.RefreshRow,
  at: Moment,
): Promise<boolean> {
  if (rotated! >= after(at, -oauth_limits.repeat_seconds * 1000)) return true;
  return (await store.findRefreshAt(tx, grant_id, n + 1))?.rotated === null;
}

/** Stores that a grant is in use. */
export async function touch(tx: Tx, { id, ...at }: Moment & { id: string }): Promise<null> {
  await store.touchGrant(tx, id, isoTime(at.now_ms), grantExpiry(at));
  return null;
}

/** Ends a grant: by its program, or as one of a name's grants. Returns whether there was one. */
export async function end(tx: Tx, { grant_id, name }: { grant_id: string; name?: string }): Promise<boolean> {
  const ended = await (name === undefined
    ? store.deleteGrant(tx, grant_id)
    : store.deleteGrantOf(tx, name, grant_id));
  announceEnd(tx, ended);
  return ended.length > 0;
}

/** Ends the grants of a name. `canonical`: its canonical form. */
export async function endGrantsOf(tx: Tx, canonical: string): Promise<void> {
  announceEnd(tx, await store.deleteGrantsOf(tx, canonical));
}

/** Deletes what has expired. Returns how much. `clients_until`: steady time until which a program stays that nobody lets in any more. */
export async function removeExpired(
  tx: Tx,
  { clients_until, ...before }: store.ExpiredBefore & { clients_until: string },
): Promise<number> {
  // Before the grants, which take their tokens along: each is counted once.
  const deleted = await store.deleteExpired(tx, before);
  const ended = await store.deleteExpiredGrants(tx, before.now);
  announceEnd(tx, ended);
  await store.limitUnusedClients(tx, clients_until);
  return deleted + ended.length;
}

function announceEnd(tx: Tx, grants: store.Ended[]): void {
  for (const { id } of grants) tx.announce(grantEndedTopic(id));
}
