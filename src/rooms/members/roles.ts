/**
 * Whether a caller may read or write in a room is decided here, in `roleIn`, and nowhere else. A room is private if its slug says so: no other
 * room costs a look-up. To everybody but its members a private room does not exist.
 */

import type { Identity } from "../../core/caller.ts";
import { ServiceError } from "../../core/errors.ts";
import type { Tx } from "../../core/storage.ts";
import type { Role } from "../../api/rooms/members.ts";
import { room_errors } from "../errors.ts";
import { isPrivateSlug } from "../../api/rooms/visibility.ts";
import type { ReadableSlug } from "../slug.ts";
import { findMember } from "./store.ts";

export interface AdmissionRules {
  /** When names were claimed, by their canonical forms; those that are not claimed are missing. */
  claimedSince(tx: Tx, canonicals: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** The refusal of a room that is not there. */
export const roomNotFound = (): ServiceError =>
  new ServiceError(room_errors.room_not_found, "There is no room with that address.");

/** Since when the memberships of a name count: those from before its claim are of an earlier holder. "~" sorts after every time. */
export const membershipsCountSince = async (
  tx: Tx,
  { claimedSince }: AdmissionRules,
  canonical: string,
): Promise<string> => (await claimedSince(tx, [canonical])).get(canonical) ?? "~";

/** The role of a claimed name in a private room; null if it has none, or there is no such room. */
export async function roleIn(
  tx: Tx,
  rules: AdmissionRules,
  slug: string,
  canonical: string,
): Promise<Role | null> {
  const member = await findMember(tx, slug, canonical);
  const counts_since = await membershipsCountSince(tx, rules, canonical);
  return member && member.since >= counts_since ? member.role : null;
}

/**
 * The roles of callers in the rooms that they name, null for those that are not private; null if none is. Each is looked up in its
 * transaction, so that nobody speaks after a removal.
 */
export async function rolesOf(
  tx: Tx,
  rules: AdmissionRules,
  callers: readonly { room: string; identity: Pick<Identity, "canonical"> | null }[],
): Promise<(Role | null)[] | null> {
  if (!callers.some(({ room }) => isPrivateSlug(room))) return null;
  return Promise.all(
    callers.map(async ({ room, identity }) =>
      isPrivateSlug(room) && identity !== null ? roleIn(tx, rules, room, identity.canonical) : null,
    ),
  );
}

/** The slugs of the private rooms among `rooms` that the name may not read. Looks up each of them once, and no other room. */
export async function unreadableAmong(
  tx: Tx,
  rules: AdmissionRules,
  canonical: string,
  rooms: Iterable<string>,
): Promise<ReadonlySet<string>> {
  const unreadable = new Set<string>();
  for (const slug of new Set(rooms))
    if (isPrivateSlug(slug) && (await roleIn(tx, rules, slug, canonical)) === null) unreadable.add(slug);
  return unreadable;
}

/** Rows of rooms or posts, and which of their rooms the name may not read. */
export async function withUnreadable<Row extends { slug: string }>(
  tx: Tx,
  rules: AdmissionRules,
  canonical: string,
  reading: Promise<Row[]>,
): Promise<{ rows: Row[]; unreadable: ReadonlySet<string> }> {
  const rows = await reading;
  const slugs = rows.map(({ slug }) => slug);
  return { rows, unreadable: await unreadableAmong(tx, rules, canonical, slugs) };
}

/** Throws unless this role may post in the room: `room_not_found`, `readers_only_read`. */
export function mayPostIn(slug: string, role: Role | null): void {
  if (!isPrivateSlug(slug)) return;
  if (role === null) throw roomNotFound();
  if (role === "reader")
    throw new ServiceError(room_errors.readers_only_read, "Your name is a reader of this room.");
}

/** The slug for those who may read every room, as admins, and for those whom the same call has admitted before. */
export const readableSlug = (slug: string): ReadableSlug => slug as ReadableSlug;

/** Lets a command into a room, in its transaction. Throws `room_not_found`. */
export async function admitIn(
  tx: Tx,
  rules: AdmissionRules,
  slug: string,
  identity: Pick<Identity, "canonical"> | null,
): Promise<ReadableSlug> {
  if (isPrivateSlug(slug) && (identity === null || !(await roleIn(tx, rules, slug, identity.canonical))))
    throw roomNotFound();
  return readableSlug(slug);
}

/** The same for a command that writes. Throws `readers_only_read` too. */
export async function admitWriterIn(
  tx: Tx,
  rules: AdmissionRules,
  slug: string,
  identity: Pick<Identity, "canonical"> | null,
): Promise<ReadableSlug> {
  if (isPrivateSlug(slug)) mayPostIn(slug, identity && (await roleIn(tx, rules, slug, identity.canonical)));
  return readableSlug(slug);
}
