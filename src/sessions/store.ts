/** SQL of sessions. */

import type { Tx } from "../core/storage.ts";
import { countRows, insertOf } from "../storage/rows.ts";

/** Where a session was seen last. */
export interface SeenFrom {
  /** In words of ours, such as "Firefox on Linux"; null if it is not known. */
  browser: string | null;
  /** The /24 of an IPv4 address, the /48 of an IPv6 address; null if it is not known. */
  network: string | null;
}

export interface SessionRow extends SeenFrom {
  id: string;
  cookie_sha256: string;
  /** The canonical form of a name; null if nobody is signed in. */
  name: string | null;
  created: string;
  used: string;
  /** Steady time. */
  expires: string;
}

/** A session with its name, if there is one. */
export interface SignedInRow extends Pick<SessionRow, "id" | "expires"> {
  name: string | null;
  canonical: string | null;
  key_sha256: string | null;
}

/** The session with this cookie, unless it has expired. `steady`: ISO time. */
export const findSession = (tx: Tx, cookie_sha256: string, steady: string) =>
  tx.get<SignedInRow>(
    "SELECT sessions.id, sessions.expires, names.name, names.canonical, names.key_sha256 FROM sessions " +
      "LEFT JOIN names ON names.canonical = sessions.name WHERE cookie_sha256 = $1 AND expires > $2",
    cookie_sha256,
    steady,
  );

/** The canonical form of the name of a session; undefined if it has ended. */
export const nameOf = (tx: Tx, id: string) =>
  tx.get<Pick<SessionRow, "name">>("SELECT name FROM sessions WHERE id = $1", id);

export const insertSession = (tx: Tx, session: SessionRow) => tx.run(...insertOf("sessions", session));

export const touchSession = (
  tx: Tx,
  id: string,
  { used, expires, browser, network }: Pick<SessionRow, "used" | "expires" | keyof SeenFrom>,
) =>
  tx.run(
    "UPDATE sessions SET used = $2, expires = $3, browser = $4, network = $5 WHERE id = $1",
    id,
    used,
    expires,
    browser,
    network,
  );

/** The functions that delete sessions return those that they deleted. */
export type Deleted = { id: string };

export const deleteSession = (tx: Tx, id: string) =>
  tx.all<Deleted>("DELETE FROM sessions WHERE id = $1 RETURNING id", id);

/** Deletes a session of this name. */
export const deleteSessionOf = (tx: Tx, canonical: string, id: string) =>
  tx.all<Deleted>("DELETE FROM sessions WHERE id = $1 AND name = $2 RETURNING id", id, canonical);

/** Deletes the sessions of a name; the one with the id `but` stays. */
export const deleteSessionsOf = (tx: Tx, canonical: string, but = "") =>
  tx.all<Deleted>("DELETE FROM sessions WHERE name = $1 AND id <> $2 RETURNING id", canonical, but);

/** Deletes at most `limit` sessions that have expired. */
export const deleteExpired = (tx: Tx, steady: string, limit: number) =>
  tx.all<Deleted>(
    "DELETE FROM sessions WHERE id IN (SELECT id FROM sessions WHERE expires <= $1 LIMIT $2) RETURNING id",
    steady,
    limit,
  );

/** The number of sessions that have expired. */
export const countExpired = (tx: Tx, steady: string) =>
  countRows(tx, "FROM sessions WHERE expires <= $1", steady);

/** Deletes the sessions of a name, except the `count_max` used last. */
export const deleteSurplusOf = (tx: Tx, canonical: string, count_max: number) =>
  tx.all<Deleted>(
    "DELETE FROM sessions WHERE name = $1 AND id NOT IN " +
      "(SELECT id FROM sessions WHERE name = $1 ORDER BY expires DESC, id DESC LIMIT $2) RETURNING id",
    canonical,
    count_max,
  );

export const countWithoutName = (tx: Tx) => countRows(tx, "FROM sessions WHERE name IS NULL");

/**
 * Deletes one session without a name: of the network that has most of them, the one that was used longest ago. So one network ends no
 * session of another that has fewer.
 */
export const deleteOneWithoutName = (tx: Tx) =>
  tx.all<Deleted>(
    "DELETE FROM sessions WHERE id = (SELECT id FROM sessions, (SELECT network, MIN(expires) AS oldest FROM sessions " +
      "WHERE name IS NULL GROUP BY network ORDER BY COUNT(*) DESC, oldest LIMIT 1) AS largest " +
      "WHERE name IS NULL AND expires = oldest AND sessions.network IS NOT DISTINCT FROM largest.network " +
      "ORDER BY id LIMIT 1) RETURNING id",
  );

/** The sessions of a name that have not expired, the one used last first. */
export const sessionsOf = (tx: Tx, canonical: string, steady: string, limit: number) =>
  tx.all<SessionRow>(
    "SELECT * FROM sessions WHERE name = $1 AND expires > $2 ORDER BY expires DESC, id DESC LIMIT $3",
    canonical,
    steady,
    limit,
  );

/** Gives the session the rights of the host of the room with this seq. */
export const addRoom = (tx: Tx, session: string, room: number, added: string) =>
  tx.run(
    "INSERT INTO session_rooms (session, room, added) VALUES ($1, $2, $3) ON CONFLICT (session, room) DO NOTHING",
    session,
    room,
    added,
  );

/** Deletes the rooms of a session, except the `count_max` added last. */
export const deleteSurplusRooms = (tx: Tx, session: string, count_max: number) =>
  tx.run(
    "DELETE FROM session_rooms WHERE session = $1 AND room NOT IN " +
      "(SELECT room FROM session_rooms WHERE session = $1 ORDER BY added DESC, room DESC LIMIT $2)",
    session,
    count_max,
  );

export const moveRooms = (tx: Tx, from: string, to: string) =>
  tx.run("UPDATE session_rooms SET session = $2 WHERE session = $1", from, to);

/** The hash of the host key of a room in which the session has the rights of the host; undefined if it has not. */
export const findHostKey = (tx: Tx, session: string, slug: string) =>
  tx.get<{ host_key_sha256: string }>(
    "SELECT rooms.host_key_sha256 FROM rooms JOIN session_rooms ON session_rooms.room = rooms.seq " +
      "WHERE rooms.slug = $2 AND session_rooms.session = $1",
    session,
    slug,
  );
