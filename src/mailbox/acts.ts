/** The acts of mailboxes. A note is put in by the act that caused it, in its transaction: both or neither. */

import { isoTime } from "../clock.ts";
import { invalidFields } from "../errors.ts";
import { limits } from "../limits.ts";
import type { ActAs, Identity } from "../names/authentication.ts";
import type { Tx } from "../storage/port.ts";
import type { NoteKind } from "./schema.ts";
import * as store from "./store.ts";

/** Puts a note into the mailbox of a claimed name. What other features' acts are given of mailboxes. */
export type PutNote = (
  tx: Tx,
  owner: string,
  note: { id: string; kind: NoteKind; at: string; content: Record<string, unknown> },
) => Promise<void>;

export const mailboxSubject = (owner: string): string => `mailbox:${owner}`;

export const putNote: PutNote = async (tx, owner, { id, kind, at, content }) => {
  const seq = await store.takeSeq(tx, owner);
  await store.insertNote(tx, owner, { seq, id, at, kind, content: JSON.stringify(content) });
  await store.dropThrough(tx, owner, seq - limits.notes_kept);
  tx.announce(mailboxSubject(owner));
};

export interface AckInput {
  identity: Identity;
  through: number;
  now_ms: number;
}

/** Moves the read mark forward; it never moves back. A mark that does not move is not an act. */
export async function acknowledge(
  tx: Tx,
  { checkKey, countAct }: ActAs,
  { identity, through, now_ms }: AckInput,
): Promise<{ through: number; unread: number }> {
  const owner = identity.canonical;
  await checkKey(tx, identity);
  const { last_seq, read_through: was } = await store.findMailbox(tx, owner);
  if (through > last_seq) {
    throw invalidFields([{ path: "/through", message: `is beyond the latest note, which is ${last_seq}` }]);
  }
  if (through > was) {
    await store.markRead(tx, owner, through);
    await countAct(tx, identity, isoTime(now_ms));
  }
  const read_through = Math.max(through, was);
  const { unread } = await store.countNotes(tx, owner, read_through);
  return { through: read_through, unread };
}

export interface ClearInput {
  identity: Identity;
  now_ms: number;
}

/** Takes all notes out. Of an empty mailbox nothing is taken, and that is not an act. */
export async function clear(
  tx: Tx,
  { checkKey, countAct }: ActAs,
  { identity, now_ms }: ClearInput,
): Promise<{ cleared: true }> {
  const owner = identity.canonical;
  await checkKey(tx, identity);
  const { last_seq, read_through } = await store.findMailbox(tx, owner);
  const dropped = await store.dropThrough(tx, owner, last_seq);
  if (read_through < last_seq) await store.markRead(tx, owner, last_seq);
  if (dropped > 0) await countAct(tx, identity, isoTime(now_ms));
  return { cleared: true };
}
