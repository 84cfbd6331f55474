/** The write commands of mailboxes. Notes are written in the transaction of the command that causes them. */

import { invalidFields } from "../core/errors.ts";
import type { Identity } from "../core/caller.ts";
import type { Tx } from "../core/storage.ts";
import { fold, foldingPlace, kindsAfter, placedNote, unreadRest, type NewNote } from "./folding.ts";
import * as store from "./store.ts";
import { mailbox_limits } from "../api/limits.ts";
import { mailbox_internal_limits } from "./limits.ts";

/** Adds a note to the mailbox of a claimed name. Commands of other features receive this function. */
export type PutNote = (tx: Tx, owner: string, note: NewNote) => Promise<void>;

export const mailboxTopic = (owner: string): string => `mailbox:${owner}`;

/**
 * Adds a note, or folds a reply or mention into the unread note of its room, and a new role into the one about the role before. A folded note
 * gets a new seq, so that readers beyond the old one see the change.
 */
export const putNote: PutNote = async (tx, owner, note) => {
  const mailbox = await store.takeSeq(tx, owner);
  // The name does not exist any more (removed by the operator): nobody could read the note.
  if (!mailbox) return;
  const { last_seq: seq, read_through } = mailbox;
  const room = foldingPlace(note);
  const unread = room === null ? [] : await store.takeUnread(tx, owner, room, read_through);
  const placed = { ...note, seq };
  const { id, kind, at, content } = unread.length > 0 ? fold(unread.map(placedNote), placed) : placed;
  await store.insertNote(tx, owner, { seq, id, at, kind, content: JSON.stringify(content), room });
  if (unread.length === 0) await dropSurplus(tx, owner, room !== null);
  tx.announce(mailboxTopic(owner));
};

/** Deletes the oldest notes of rooms, or of jobs and names, beyond the limit for each of the two. */
async function dropSurplus(tx: Tx, owner: string, of_rooms: boolean): Promise<void> {
  const dropped = await store.dropOldest(tx, owner, of_rooms, mailbox_limits.notes_max);
  if (dropped.length > 0) await store.markDropped(tx, owner, Math.max(...dropped));
}

/** Erases the mailbox of a name that is released. */
export async function eraseMailbox(tx: Tx, owner: string): Promise<void> {
  await store.deleteMailbox(tx, owner);
  tx.erases();
  tx.announce(mailboxTopic(owner));
}

/** Removes the texts of a job from all notes about it. */
export type ForgetJob = (tx: Tx, job: string) => Promise<void>;

export const forgetJob: ForgetJob = async (tx, job) => {
  for (const { owner, seq, content } of await store.notesOfJob(
    tx,
    job,
    mailbox_internal_limits.notes_of_job_max,
  )) {
    const { title: _title, reason: _reason, ...rest } = JSON.parse(content) as Record<string, unknown>;
    await store.setContent(tx, owner, seq, JSON.stringify(rest));
    tx.announce(mailboxTopic(owner));
  }
};

/**
 * Takes out of the folded notes after `through` what was folded into them up to it: their reader has seen that. Of very many notes
 * the later ones stay whole.
 */
async function leaveUnread(tx: Tx, owner: string, through: number): Promise<void> {
  const { notes_divided_max } = mailbox_internal_limits;
  for (const row of await store.foldedAfter(tx, owner, through, notes_divided_max)) {
    const rest = unreadRest(placedNote(row), through);
    if (rest) await store.setContent(tx, owner, row.seq, JSON.stringify(rest));
  }
}

/**
 * Whether a note after the seq `through` stands for posts of which one has a kind that `isWanted`. Of very many folded notes it is taken
 * for granted.
 */
export async function hasFolded(
  tx: Tx,
  owner: string,
  through: number,
  isWanted: (kind: string) => boolean,
): Promise<boolean> {
  const { notes_divided_max } = mailbox_internal_limits;
  const folded = await store.foldedAfter(tx, owner, through, notes_divided_max);
  if (folded.length === notes_divided_max) return true;
  return folded.some((row) => kindsAfter(placedNote(row), through).some(isWanted));
}

export type HasFolded = typeof hasFolded;

/** Moves the read mark forward, never back. */
export async function acknowledge(
  tx: Tx,
  { identity, through }: { identity: Identity; through: number; now_ms: number },
): Promise<{ through: number; unread: number }> {
  const owner = identity.canonical;
  const { last_seq, read_through: was } = await store.findMailbox(tx, owner);
  if (through > last_seq) {
    throw invalidFields([{ path: "/through", message: `is beyond the latest note, which is ${last_seq}` }]);
  }
  if (through > was) {
    // First, because this lets no note come in between.
    await store.markRead(tx, owner, through);
    await leaveUnread(tx, owner, through);
  }
  const read_through = Math.max(through, was);
  const { unread } = await store.countNotes(tx, owner, read_through);
  return { through: read_through, unread };
}

interface ClearInput {
  identity: Identity;
  now_ms: number;
}

/** Deletes the notes from before `before` that were read. Returns how many. */
export async function removeOld(
  tx: Tx,
  { owner, before }: { owner: string; before: string },
): Promise<{ removed: number }> {
  const removed = await store.deleteOldNotes(tx, owner, before);
  if (removed.length > 0) {
    await store.markDropped(tx, owner, Math.max(...removed.map(({ seq }) => seq)));
    tx.announce(mailboxTopic(owner));
  }
  return { removed: removed.length };
}

/** Sets whether authors see what became of their posts to the name. */
export async function setDelivery(
  tx: Tx,
  { identity, shown }: { identity: Identity; shown: boolean; now_ms: number },
): Promise<{ shown: boolean }> {
  await store.setDeliveryOff(tx, identity.canonical, shown ? 0 : 1);
  return { shown };
}

/** Deletes all notes. */
export async function clear(tx: Tx, { identity }: ClearInput): Promise<{ cleared: true }> {
  const owner = identity.canonical;
  const { last_seq, read_through } = await store.findMailbox(tx, owner);
  const dropped = await store.dropThrough(tx, owner, last_seq);
  if (read_through < last_seq) await store.markRead(tx, owner, last_seq);
  if (dropped > 0) await store.markDropped(tx, owner, last_seq);
  return { cleared: true };
}
