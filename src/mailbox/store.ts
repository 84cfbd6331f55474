/** SQL of mailboxes. */

import type { Reach } from "../api/reach.ts";
import type { Tx } from "../core/storage.ts";
import { statementOf } from "../storage/lists.ts";
import { countRows, upsertOf } from "../storage/rows.ts";

interface MailboxRow {
  owner: string;
  last_seq: number;
  read_through: number;
  /** The seq of the latest note that was dropped or cleared. */
  dropped_through: number;
  /** 1: authors of posts do not see what became of their mentions of the name. */
  delivery_off: number;
}
export interface NoteRow {
  seq: number;
  id: string;
  at: string;
  kind: string;
  content: string;
  /** The room of a reply or a mention, or what `foldingPlace` returns of another note; null for a note of a job or a name. */
  room: string | null;
}

const note_columns = "seq, id, at, kind, content, room";

/** The read mark of the mailbox of the name `$1`. */
const read_mark = "COALESCE((SELECT read_through FROM mailboxes WHERE owner = $1), 0)";

const nothing: Omit<MailboxRow, "owner"> = {
  last_seq: 0,
  read_through: 0,
  dropped_through: 0,
  delivery_off: 0,
};

export const findMailbox = async (tx: Tx, owner: string): Promise<MailboxRow> =>
  (await tx.get<MailboxRow>("SELECT * FROM mailboxes WHERE owner = $1", owner)) ?? { owner, ...nothing };

/**
 * Allocates the next sequence number of a mailbox. Returns the changed mailbox; undefined if the name does not exist, or was
 * released by the operator (names/store.ts).
 */
export const takeSeq = (tx: Tx, owner: string) =>
  tx.get<MailboxRow>(
    "INSERT INTO mailboxes (owner, last_seq) SELECT canonical, 1 FROM names WHERE canonical = $1 AND recovery_sha256 <> 'released' " +
      "ON CONFLICT (owner) DO UPDATE SET last_seq = mailboxes.last_seq + 1 RETURNING *",
    owner,
  );

/** Deletes the unread notes of a room (those after `read_through`) and returns them, oldest first. */
export async function takeUnread(
  tx: Tx,
  owner: string,
  room: string,
  read_through: number,
): Promise<NoteRow[]> {
  const unread = await tx.all<NoteRow>(
    `SELECT ${note_columns} FROM notes WHERE owner = $1 AND room = $2 AND seq > $3 ORDER BY seq`,
    owner,
    room,
    read_through,
  );
  if (unread.length === 0) return unread;
  await tx.run("DELETE FROM notes WHERE owner = $1 AND room = $2 AND seq > $3", owner, room, read_through);
  return unread;
}

export const insertNote = (tx: Tx, owner: string, note: NoteRow) =>
  tx.run(
    "INSERT INTO notes (owner, seq, id, at, kind, content, room) VALUES ($1, $2, $3, $4, $5, $6, $7)",
    owner,
    note.seq,
    note.id,
    note.at,
    note.kind,
    note.content,
    note.room,
  );

/** Deletes all but the latest `max` notes of rooms, or of jobs and names. Returns the seqs of the deleted notes. */
export async function dropOldest(tx: Tx, owner: string, of_rooms: boolean, max: number): Promise<number[]> {
  const which = `owner = $1 AND room IS ${of_rooms ? "NOT NULL" : "NULL"}`;
  const surplus = `SELECT seq FROM notes WHERE ${which} ORDER BY seq DESC LIMIT 1 OFFSET $2`;
  const sql = `DELETE FROM notes WHERE ${which} AND seq <= (${surplus}) RETURNING seq`;
  return (await tx.all<{ seq: number }>(sql, owner, max)).map(({ seq }) => seq);
}

/** Records that notes up to `seq` were dropped. */
export const markDropped = (tx: Tx, owner: string, seq: number) =>
  tx.run("UPDATE mailboxes SET dropped_through = $1 WHERE owner = $2 AND dropped_through < $1", seq, owner);

export const dropThrough = (tx: Tx, owner: string, seq: number) =>
  tx.run("DELETE FROM notes WHERE owner = $1 AND seq <= $2", owner, seq);

/** How many old notes a mailbox has. */
export interface OldNotes {
  owner: string;
  notes: number;
}

const old_notes = "notes.owner = mailboxes.owner AND notes.seq <= mailboxes.read_through";

/** The first `limit` mailboxes after `owner`, with the number of their notes from before `before` that were read. */
export const mailboxesAfter = (tx: Tx, owner: string, before: string, limit: number) =>
  tx.all<OldNotes>(
    `SELECT owner, (SELECT COUNT(*) FROM notes WHERE ${old_notes} AND notes.at < $1) AS notes FROM mailboxes ` +
      "WHERE owner > $2 ORDER BY owner LIMIT $3",
    before,
    owner,
    limit,
  );

/** Deletes the notes of a mailbox from before `before` that were read. Returns their seqs. */
export const deleteOldNotes = (tx: Tx, owner: string, before: string) =>
  tx.all<{ seq: number }>(
    "DELETE FROM notes WHERE owner = $1 AND at < $2 AND seq <= " +
      "(SELECT read_through FROM mailboxes WHERE owner = $1) RETURNING seq",
    owner,
    before,
  );

/** The earliest `limit` notes after `since`. */
export const notesSince = (tx: Tx, owner: string, since: number, limit: number) =>
  tx.all<NoteRow>(
    `SELECT ${note_columns} FROM notes WHERE owner = $1 AND seq > $2 ORDER BY seq LIMIT $3`,
    owner,
    since,
    limit,
  );

/** The latest `limit` unread notes, the latest first. */
export const latestUnread = (tx: Tx, owner: string, limit: number) =>
  tx.all<NoteRow>(
    `SELECT ${note_columns} FROM notes WHERE owner = $1 AND seq > ${read_mark} ORDER BY seq DESC LIMIT $2`,
    owner,
    limit,
  );

/** The earliest `limit` folded notes after a seq. */
export const foldedAfter = (tx: Tx, owner: string, seq: number, limit: number) =>
  tx.all<NoteRow>(
    `SELECT ${note_columns} FROM notes WHERE owner = $1 AND seq > $2 AND room IS NOT NULL AND content LIKE '%"count":%' ORDER BY seq LIMIT $3`,
    owner,
    seq,
    limit,
  );

/** The number of stored notes, the number after `read_through`, and the oldest seq. */
export const countNotes = async (tx: Tx, owner: string, read_through: number) =>
  (await tx.get<{ count: number; unread: number; oldest: number | null }>(
    "SELECT COUNT(*) AS count, COALESCE(SUM(CASE WHEN seq > $1 THEN 1 ELSE 0 END), 0) AS unread, MIN(seq) AS oldest " +
      "FROM notes WHERE owner = $2",
    read_through,
    owner,
  ))!;

/** The number of unread notes. One statement, because each page for a name reads it. */
export const countUnread = (tx: Tx, owner: string) =>
  countRows(tx, `FROM notes WHERE owner = $1 AND seq > ${read_mark}`, owner);

/** A mailbox, and its note that may stand for a post of a room: the first one that is not older. */
export interface NoteOfPostRow extends Pick<MailboxRow, "owner" | "read_through" | "delivery_off"> {
  at: string;
  note_id: string | null;
  note_seq: number | null;
  note_at: string | null;
  note_kind: string | null;
  note_content: string | null;
}

const select_notes_of_posts = statementOf(
  ({ rows }) =>
    "SELECT wanted.column1 AS owner, wanted.column3 AS at, mailboxes.read_through, mailboxes.delivery_off, " +
    "notes.id AS note_id, notes.seq AS note_seq, notes.at AS note_at, notes.kind AS note_kind, notes.content AS note_content " +
    `FROM (VALUES ${rows}) AS wanted JOIN mailboxes ON mailboxes.owner = wanted.column1 ` +
    "LEFT JOIN notes ON notes.owner = wanted.column1 AND notes.seq = (SELECT later.seq FROM notes AS later " +
    "WHERE later.owner = wanted.column1 AND later.room = wanted.column2 AND later.at >= wanted.column3 ORDER BY later.seq LIMIT 1)",
  3,
);

/** The mailboxes of these owners, at least one, each with the note that may stand for the post of this room at this time. */
export const notesOfPosts = (tx: Tx, wanted: readonly { owner: string; room: string; at: string }[]) =>
  tx.all<NoteOfPostRow>(...select_notes_of_posts(wanted.map(({ owner, room, at }) => [owner, room, at])));

export const markRead = (tx: Tx, owner: string, through: number) =>
  tx.run(
    "UPDATE mailboxes SET read_through = $1 WHERE owner = $2 AND read_through < $1 AND last_seq >= $1",
    through,
    owner,
  );

/** The last time that the agent of a name was reached. `through`: the seq of the note that it got. */
export interface ReachRow {
  owner: string;
  through: number;
  way: Reach["by"];
  at: string;
  after_seconds: number;
}

export const findReach = (tx: Tx, owner: string) =>
  tx.get<ReachRow>("SELECT * FROM reaches WHERE owner = $1", owner);

/** Inserts the row of a name, or replaces the one for an earlier note. */
export const putReach = (tx: Tx, row: ReachRow) => {
  const [sql, ...values] = upsertOf("reaches", row, "owner");
  return tx.run(`${sql} WHERE reaches.through < excluded.through`, ...values);
};

export const noteWith = (tx: Tx, owner: string, seq: number) =>
  tx.get<NoteRow>(`SELECT ${note_columns} FROM notes WHERE owner = $1 AND seq = $2`, owner, seq);

/** Changes nothing if it is so. A name without a mailbox gets one, unless it has the usual value. */
export const setDeliveryOff = (tx: Tx, owner: string, delivery_off: 0 | 1) =>
  delivery_off === 0
    ? tx.run("UPDATE mailboxes SET delivery_off = 0 WHERE owner = $1 AND delivery_off <> 0", owner)
    : tx.run(
        "INSERT INTO mailboxes (owner, last_seq, delivery_off) VALUES ($1, 0, 1) " +
          "ON CONFLICT (owner) DO UPDATE SET delivery_off = 1 WHERE mailboxes.delivery_off <> 1",
        owner,
      );

/** Deletes the mailbox of a name with all its notes. */
export async function deleteMailbox(tx: Tx, owner: string): Promise<void> {
  await tx.run("DELETE FROM reaches WHERE owner = $1", owner);
  await tx.run("DELETE FROM notes WHERE owner = $1", owner);
  await tx.run("DELETE FROM mailboxes WHERE owner = $1", owner);
}

/** The notes about a job, in all mailboxes. Reads all notes of jobs: there is no index for it. */
export const notesOfJob = (tx: Tx, job: string, limit: number) =>
  tx.all<Pick<NoteRow, "seq" | "content"> & { owner: string }>(
    "SELECT owner, seq, content FROM notes WHERE room IS NULL AND content LIKE $1 LIMIT $2",
    `%"job":"${job}"%`,
    limit,
  );

export const setContent = (tx: Tx, owner: string, seq: number, content: string) =>
  tx.run("UPDATE notes SET content = $1 WHERE owner = $2 AND seq = $3", content, owner, seq);
