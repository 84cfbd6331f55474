/** SQL of the members of private rooms. */

import type { Tx } from "../../core/storage.ts";
import type { Role } from "../../api/rooms/members.ts";
import { countRows, upsertOf } from "../../storage/rows.ts";

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

export const deleteMembersIn = (tx: Tx, room: number) =>
  tx.run("DELETE FROM room_members WHERE room = $1", room);

/** The members of a room with their claimed spelling. Names that were released since, and claimed by others, are missing. */
const present =
  "FROM room_members JOIN names ON names.canonical = room_members.canonical AND names.created <= room_members.since";

export const countMembers = (tx: Tx, room: number): Promise<number> =>
  countRows(tx, `${present} WHERE room_members.room = $1`, room);

export const countHosts = (tx: Tx, room: number): Promise<number> =>
  countRows(tx, `${present} WHERE room_members.room = $1 AND role = 'host'`, room);

/** All members of a room, hosts first. There are at most `members_max` of them. */
export const membersOf = (tx: Tx, room: number, limit: number) =>
  tx.all<Pick<MemberRow, "role" | "since" | "canonical"> & { name: string }>(
    `SELECT names.name, room_members.canonical, role, since ${present} WHERE room_members.room = $1 ` +
      "ORDER BY CASE role WHEN 'host' THEN 0 WHEN 'member' THEN 1 ELSE 2 END, since, room_members.canonical LIMIT $2",
    room,
    limit,
  );
