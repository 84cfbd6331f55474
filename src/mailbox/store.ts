/** The SQL of mailboxes, nothing else. */

import type { Tx } from "../storage/port.ts";

export interface MailboxRow {
  owner: string;
  last_seq: number;
  read_through: number;
}
export interface NoteRow {
  seq: number;
  id: string;
  at: string;
  kind: string;
  content: string;
}

const nothing: Omit<MailboxRow, "owner"> = { last_seq: 0, read_through: 0 };

export const findMailbox = async (tx: Tx, owner: string): Promise<MailboxRow> =>
  (await tx.get<MailboxRow>("SELECT * FROM mailboxes WHERE owner = $1", owner)) ?? { owner, ...nothing };

/** The seq of the next note of a mailbox, taken. */
export const takeSeq = async (tx: Tx, owner: string): Promise<number> =>
  (await tx.get<{ last_seq: number }>(
    "INSERT INTO mailboxes (owner, last_seq) VALUES ($1, 1) " +
      "ON CONFLICT (owner) DO UPDATE SET last_seq = mailboxes.last_seq + 1 RETURNING last_seq",
    owner,
  ))!.last_seq;

export const insertNote = (tx: Tx, owner: string, note: NoteRow) =>
  tx.run(
    "INSERT INTO notes (owner, seq, id, at, kind, content) VALUES ($1, $2, $3, $4, $5, $6)",
    owner,
    note.seq,
    note.id,
    note.at,
    note.kind,
    note.content,
  );

export const dropThrough = (tx: Tx, owner: string, seq: number) =>
  tx.run("DELETE FROM notes WHERE owner = $1 AND seq <= $2", owner, seq);

/** The earliest `limit` notes after `since`. */
export const notesSince = (tx: Tx, owner: string, since: number, limit: number) =>
  tx.all<NoteRow>(
    "SELECT seq, id, at, kind, content FROM notes WHERE owner = $1 AND seq > $2 ORDER BY seq LIMIT $3",
    owner,
    since,
    limit,
  );

/** How many notes are kept, how many of them came after `read_through`, and the first of them. */
export const countNotes = async (tx: Tx, owner: string, read_through: number) =>
  (await tx.get<{ count: number; unread: number; oldest: number | null }>(
    "SELECT COUNT(*) AS count, COALESCE(SUM(CASE WHEN seq > $1 THEN 1 ELSE 0 END), 0) AS unread, MIN(seq) AS oldest " +
      "FROM notes WHERE owner = $2",
    read_through,
    owner,
  ))!;

export const markRead = (tx: Tx, owner: string, through: number) =>
  tx.run(
    "UPDATE mailboxes SET read_through = $1 WHERE owner = $2 AND read_through < $1 AND last_seq >= $1",
    through,
    owner,
  );
