/** Adds members to private rooms: by a call of a host, and by a post of a host that mentions them. Each finds a note. */

import { isoTime } from "../../core/clock.ts";
import { ServiceError } from "../../core/errors.ts";
import { sha256Hex } from "../../core/secrets.ts";
import type { Tx } from "../../core/storage.ts";
import type { NewNote } from "../../mailbox/folding.ts";
import { room_limits } from "../../api/limits.ts";
import type { Role } from "../../api/rooms/members.ts";
import { room_errors } from "../errors.ts";
import { mentionsIn } from "../mentioned_names.ts";
import { claimsOf, meant, type NoteRules } from "../mentions.ts";
import { isPrivateSlug } from "../../api/rooms/visibility.ts";
import { membersTopic } from "./admission.ts";
import { membersOf, putMember } from "./store.ts";

export const notPrivate = (): ServiceError =>
  new ServiceError(room_errors.not_private, "Only a private room has members.");

export const tooManyMembers = (): ServiceError =>
  new ServiceError(room_errors.too_many_members, `A room has at most ${room_limits.members_max} members.`);

/** Who gives a role: the name of a host; null for a host key. */
interface GivenRole {
  room: string;
  role: Role;
  by: string | null;
  now_ms: number;
}

/** The note of a name that has a new role in a private room. */
export function noteOfRole(owner: string, { room, role, by, now_ms }: GivenRole): NewNote {
  const at = isoTime(now_ms);
  const id = sha256Hex(`room.added ${room} ${owner} ${at}`).slice(0, 32);
  const content = { room, role, ...(by !== null && { by, by_claimed: true }) };
  return { id, kind: "room.added", at, content };
}

/** Since when a name is a member that is made one now: not before its claim, which a clock of another node may have timed. */
export const memberSince = (now_ms: number, claimed_at: string): string => {
  const now = isoTime(now_ms);
  return now > claimed_at ? now : claimed_at;
};

/** A post of a host that adds whom it mentions. */
interface AddingPost {
  name: string;
  body: string;
  now_ms: number;
}

interface Room {
  seq: number;
  slug: string;
}

interface NewMember {
  room: Room;
  canonical: string;
  since: string;
  note: NewNote;
}

/** The members that new posts add, in memory until `store`. */
export class MentionedMembers {
  readonly #new: NewMember[] = [];

  /**
   * Adds the claimed names that a post mentions and that are no members. `role`: of its author. Throws `not_private`,
   * `host_key_required`, `too_many_members`.
   */
  async add(tx: Tx, rules: NoteRules, room: Room, role: Role | null, post: AddingPost): Promise<void> {
    if (!isPrivateSlug(room.slug)) throw notPrivate();
    if (role !== "host")
      throw new ServiceError(
        room_errors.host_key_required,
        "Only a host of the room adds members with a post.",
        { situation: "add_members" },
      );
    const mentions = mentionsIn(post.body, rules.canonicalName);
    if (mentions.length === 0) return;
    const claims = await claimsOf(
      tx,
      rules,
      new Set(mentions.flatMap(({ names }) => names.map(({ canonical }) => canonical))),
    );
    const rows = await membersOf(tx, room.seq, room_limits.members_max);
    const members = new Set(rows.map(({ canonical }) => canonical));
    for (const { room: of, canonical } of this.#new) if (of.slug === room.slug) members.add(canonical);
    const added = new Set(mentions.map((mention) => meant(mention, claims).canonical))
      .difference(members)
      .intersection(claims as ReadonlySetLike<string>);
    if (members.size + added.size > room_limits.members_max) throw tooManyMembers();
    for (const canonical of added) {
      const given: GivenRole = { room: room.slug, role: "member", by: post.name, now_ms: post.now_ms };
      const since = memberSince(post.now_ms, claims.get(canonical)!);
      this.#new.push({ room, canonical, since, note: noteOfRole(canonical, given) });
    }
  }

  /** Stores the members. Returns their notes, which are put with those about the posts. */
  async store(tx: Tx): Promise<{ owner: string; note: NewNote }[]> {
    for (const { room, canonical, since } of this.#new)
      await putMember(tx, { room: room.seq, canonical, role: "member", since });
    for (const slug of new Set(this.#new.map(({ room }) => room.slug))) tx.announce(membersTopic(slug));
    return this.#new.map(({ canonical: owner, note }) => ({ owner, note }));
  }
}
