/** What became of a post in the mailboxes of those whom it concerns, for its author. */

import type { Note, NoteKind } from "../api/mailbox.ts";
import type { Presence } from "../core/presence.ts";
import type { Tx } from "../core/storage.ts";
import { mailboxTopic } from "./commands.ts";
import { placedNote, seqOfPost } from "./folding.ts";
import { mailbox_internal_limits } from "./limits.ts";
import * as store from "./store.ts";

/**
 * The notes of rooms that their owners have fetched from this node, as long as it runs. Bounded: the notes that were fetched first are
 * forgotten first.
 */
export class FetchedNotes {
  /** By the id of a note, the seq with which it was fetched: a note that is folded into keeps its id. */
  readonly #seqs = new Map<string, number>();

  /** Remembers the notes in an answer to their owner. */
  add(notes: readonly Pick<Note, "id" | "seq" | "unread" | "count">[]): void {
    for (const { id, seq, unread, count } of notes) {
      // Notes of jobs and names have no count.
      if (!unread || count === undefined) continue;
      this.#seqs.delete(id);
      this.#seqs.set(id, seq);
    }
    while (this.#seqs.size > mailbox_internal_limits.fetched_notes_max)
      this.#seqs.delete(this.#seqs.keys().next().value!);
  }

  /** Whether a note was fetched with the post that took the seq `seq`. */
  has(id: string, seq: number): boolean {
    return (this.#seqs.get(id) ?? 0) >= seq;
  }
}

/** A post of a room, and the mailbox of a name that it concerns. */
export interface PostForOwner {
  owner: string;
  room: string;
  n: number;
  /** The time of the post. */
  at: string;
}

/** The note about a post in the mailbox of a name. `none`: there is none, or no longer. */
export interface NoteOfPost {
  state: "none" | "stored" | "fetched" | "waiting" | "read";
  /** Whether the name does not show authors what became of their posts. */
  is_withheld: boolean;
}

/** Returns what became of each post, in this order. Rooms receive this function. */
export type NotesOfPosts = (tx: Tx, posts: readonly PostForOwner[]) => Promise<NoteOfPost[]>;

const nothing: NoteOfPost = { state: "none", is_withheld: false };

export function createNotesOfPosts(fetched: FetchedNotes, presence: Pick<Presence, "at">): NotesOfPosts {
  const isWaiting = (owner: string): boolean =>
    presence.at(mailboxTopic(owner)).names.get(owner)?.waiting ?? false;

  function stateOf(row: store.NoteOfPostRow, n: number): NoteOfPost["state"] {
    const { owner, note_id: id, note_seq: seq, note_at: at, note_kind: kind, note_content: content } = row;
    if (seq === null) return "none";
    const note = { id: id!, seq, at: at!, kind: kind as NoteKind, content: content!, room: null };
    const taken = seqOfPost(placedNote(note), n);
    if (taken === undefined) return "none";
    if (taken <= row.read_through) return "read";
    if (isWaiting(owner)) return "waiting";
    return fetched.has(note.id, taken) ? "fetched" : "stored";
  }

  return async (tx, posts) => {
    if (posts.length === 0) return [];
    const rows = await store.notesOfPosts(tx, posts);
    return posts.map(({ owner, at, n }) => {
      const row = rows.find((one) => one.owner === owner && one.at === at);
      return row ? { state: stateOf(row, n), is_withheld: row.delivery_off === 1 } : nothing;
    });
  };
}
