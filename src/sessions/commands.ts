/** The write commands of sessions. Their inputs contain only hashes of cookies and keys. */

import { sessionEndedTopic, type Identity, type NameRules } from "../core/caller.ts";
import { isoTime, steadyTime, type Moment } from "../core/clock.ts";
import type { Tx } from "../core/storage.ts";
import { session_limits } from "./limits.ts";
import * as store from "./store.ts";

/** What these commands need of other features. */
export interface SessionRules extends Pick<NameRules, "checkKey"> {
  /** The room whose host key has this hash. Throws `wrong_host_key`. */
  hostedRoom(tx: Tx, host: { room: string; host_key_sha256: string }): Promise<{ seq: number }>;
}

/** A session that is to begin. */
export interface NewSession extends store.SeenFrom {
  id: string;
  cookie_sha256: string;
}

/** A session that gains rights: one that begins in place of the browser's former one. */
interface GainInput extends Moment {
  session: NewSession;
  /** The id of the session that the browser had. */
  former: string | null;
}

interface SignInInput extends GainInput {
  identity: Identity;
}

/** Begins a session under a name. Throws `unknown_credential` or `name_suspended`. */
export async function signIn(tx: Tx, { checkKey }: SessionRules, input: SignInInput): Promise<null> {
  const { canonical } = input.identity;
  await checkKey(tx, input.identity, input.now_ms);
  await replaceSession(tx, input, canonical);
  announceEnd(tx, await store.deleteSurplusOf(tx, canonical, session_limits.per_name_max));
  return null;
}

interface HostInput extends GainInput {
  room: string;
  host_key_sha256: string;
}

/** Gives the browser a session with the rights of the host of a room, and the name of its former one. Throws `wrong_host_key`. */
export async function host(tx: Tx, { hostedRoom }: SessionRules, input: HostInput): Promise<null> {
  const { session, former } = input;
  const { seq } = await hostedRoom(tx, input);
  const name = former === null ? null : ((await store.nameOf(tx, former))?.name ?? null);
  await replaceSession(tx, input, name);
  if (name === null && (await store.countWithoutName(tx)) > session_limits.without_name_max)
    announceEnd(tx, await store.deleteOneWithoutName(tx));
  await store.addRoom(tx, session.id, seq, isoTime(input.now_ms));
  await store.deleteSurplusRooms(tx, session.id, session_limits.rooms_max);
  return null;
}

/**
 * Begins a session, which gets the rooms of the former one, and ends that. A browser that gains rights has another cookie
 * afterwards, so whoever gave it the former one gains nothing (session fixation).
 */
async function replaceSession(
  tx: Tx,
  { session, former, ...at }: GainInput,
  name: string | null,
): Promise<void> {
  await begin(tx, session, name, at);
  if (former === null) return;
  await store.moveRooms(tx, former, session.id);
  announceEnd(tx, await store.deleteSession(tx, former));
}

/** Deletes at most `limit` sessions that expired before `steady`. Returns how many. */
export async function removeExpired(tx: Tx, steady: string, limit: number): Promise<number> {
  const deleted = await store.deleteExpired(tx, steady, limit);
  announceEnd(tx, deleted);
  return deleted.length;
}

function announceEnd(tx: Tx, sessions: store.Deleted[]): void {
  for (const { id } of sessions) tx.announce(sessionEndedTopic(id));
}

async function begin(tx: Tx, session: NewSession, name: string | null, at: Moment): Promise<void> {
  await removeExpired(tx, steadyTime(at), session_limits.pruned_per_command);
  const now = isoTime(at.now_ms);
  await store.insertSession(tx, { ...session, name, created: now, used: now, expires: expiryAt(at) });
}

/** Steady time when a session ends that is used now. */
const expiryAt = ({ now_ms, ahead_ms }: Moment): string =>
  steadyTime({ now_ms: now_ms + session_limits.idle_days * 86_400_000, ahead_ms });

interface TouchInput extends Moment {
  id: string;
  from: store.SeenFrom;
}

/** Stores that a session is in use, and from where. */
export async function touch(tx: Tx, { id, from, ...at }: TouchInput): Promise<null> {
  await store.touchSession(tx, id, { used: isoTime(at.now_ms), expires: expiryAt(at), ...from });
  return null;
}

/** Ends a session, by the browser that has it or as one of a name's sessions. Ending it again changes nothing. */
export async function end(tx: Tx, { id, name }: { id: string; name?: string }): Promise<null> {
  announceEnd(
    tx,
    await (name === undefined ? store.deleteSession(tx, id) : store.deleteSessionOf(tx, name, id)),
  );
  return null;
}

/** Ends the sessions of a name, without the one with the id `except`. */
export async function endOthers(
  tx: Tx,
  { name, except }: { name: string; except: string | null },
): Promise<null> {
  announceEnd(tx, await store.deleteSessionsOf(tx, name, except ?? ""));
  return null;
}
