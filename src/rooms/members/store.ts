/** SQL of the members of private rooms. */

import type { Tx } from "../../core/storage.ts";
import type { Role } from "../../api/rooms/members.ts";
import { statementOf } from "../../storage/lists.ts";
import { countRows, upsertOf } from "../../storage/rows.ts";
import type { RoomRow } from "../store.ts";

interface MemberRow {
  /** The seq of the room. */
  room: number;
  canonical: string;
  role: Role;
  /** When it became a member. */
  since: string;
}

/** The member of the room with this slug. Reads as much whether there is the room or not. */
export const findMember = (tx: Tx, slug: string, canonical: string) =>
  tx.get<Pick<MemberRow, "role" | "since">>(
    "SELECT role, since FROM room_members " +
      "WHERE room = COALESCE((SELECT seq FROM rooms WHERE slug = $1), 0) AND canonical = $2",
    slug,
    canonical,
  );

/** Inserts a member, or replaces it: its role, or an earlier holder of the name. */
export const putMember = (tx: Tx, member: MemberRow) =>
  tx.run(...upsertOf("room_members", member, "room", "canonical"));

export const setRole = (tx: Tx, room: number, canonical: string, role: Role) =>
  tx.run("UPDATE room_members SET role = $1 WHERE room = $2 AND canonical = $3", role, room, canonical);

/** Returns how many members it has deleted. */
export const deleteMember = (tx: Tx, room: number, canonical: string) =>
  tx.run("DELETE FROM room_members WHERE room = $1 AND canonical = $2", room, canonical);

/** Ends all memberships of a name. */
export const deleteMembershipsOf = (tx: Tx, canonical: string) =>
  tx.run("DELETE FROM room_members WHERE canonical = $1", canonical);

export const deleteMembersIn = (tx: Tx, room: number) =>
  tx.run("DELETE FROM room_members WHERE room = $1", room);

/** The members of a room with their claimed spelling. Names that were released since, and claimed by others, are missing. */
const present =
  "FROM room_members JOIN names ON names.canonical = room_members.canonical AND names.created <= room_members.since";

export const countMembers = (tx: Tx, room: number): Promise<number> =>
  countRows(tx, `${present} WHERE room_members.room = $1`, room);

export const countHosts = (tx: Tx, room: number): Promise<number> =>
  countRows(tx, `${present} WHERE room_members.room = $1 AND role = 'host'`, room);

/** The names of the members of the room with this slug. */
export const canonicalsIn = async (tx: Tx, slug: string, limit: number): Promise<string[]> => {
  const rows = await tx.all<{ canonical: string }>(
    `SELECT room_members.canonical ${present} WHERE room_members.room = (SELECT seq FROM rooms WHERE slug = $1) LIMIT $2`,
    slug,
    limit,
  );
  return rows.map(({ canonical }) => canonical);
};

/** All members of a room, hosts first. There are at most `members_max` of them. */
export const membersOf = (tx: Tx, room: number, limit: number) =>
  tx.all<Pick<MemberRow, "role" | "since" | "canonical"> & { name: string }>(
    `SELECT names.name, room_members.canonical, role, since ${present} WHERE room_members.room = $1 ` +
      "ORDER BY CASE role WHEN 'host' THEN 0 WHEN 'member' THEN 1 ELSE 2 END, since, room_members.canonical LIMIT $2",
    room,
    limit,
  );

/** The next `limit` memberships of a name after the room with the seq `after`, in the order of seqs, and what lists know of their rooms. */
export const membershipsAfter = (tx: Tx, canonical: string, after: number, limit: number) =>
  tx.all<Pick<MemberRow, "room" | "since"> & Pick<RoomRow, "slug" | "closed_at" | "last_active">>(
    "SELECT own.room, own.since, rooms.slug, rooms.closed_at, rooms.last_active FROM " +
      "(SELECT room, since FROM room_members WHERE canonical = $1 AND room > $2 ORDER BY room LIMIT $3) AS own " +
      "JOIN rooms ON rooms.seq = own.room ORDER BY own.room",
    canonical,
    after,
    limit,
  );

/** The latest `limit` memberships of a name before the room with the seq `before`, in the order of seqs. */
export const membershipsBefore = (tx: Tx, canonical: string, before: number, limit: number) =>
  tx.all<Pick<MemberRow, "room" | "role" | "since"> & Pick<RoomRow, "slug">>(
    "SELECT own.room, own.role, own.since, rooms.slug FROM " +
      "(SELECT room, role, since FROM room_members WHERE canonical = $1 AND room < $2 ORDER BY room DESC LIMIT $3) AS own " +
      "JOIN rooms ON rooms.seq = own.room ORDER BY own.room DESC",
    canonical,
    before,
    limit,
  );

const select_own = statementOf(
  ({ rows }) =>
    `SELECT rooms.*, room_members.role, room_members.since FROM (VALUES ${rows}) AS given ` +
    "JOIN room_members ON room_members.room = CAST(given.column1 AS BIGINT) AND room_members.canonical = given.column2 " +
    "JOIN rooms ON rooms.seq = room_members.room",
  2,
);

/** Those of these rooms, at least one, of which the name is a member, by their seqs. */
export const ownRooms = (tx: Tx, canonical: string, rooms: readonly number[]) =>
  tx.all<RoomRow & Pick<MemberRow, "role" | "since">>(
    ...select_own(rooms.map((room) => [String(room), canonical])),
  );
