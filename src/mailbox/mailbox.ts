/** What can be done with a mailbox: the operations that every door calls. Reading never consumes. */

import type { Changes, WaitOptions } from "../changes.ts";
import type { Clock } from "../clock.ts";
import type { Commands, InternalStorage } from "../commands.ts";
import { ServiceError } from "../errors.ts";
import type { Caller, Identity } from "../names/authentication.ts";
import type { Tx } from "../storage/port.ts";
import { mailboxSubject } from "./acts.ts";
import type { Note } from "./schema.ts";
import * as store from "./store.ts";

export interface MailboxDeps {
  storage: InternalStorage;
  commands: Commands;
  changes: Changes;
  clock: Clock;
  /** The caller's claimed name. Throws when no key was shown. */
  identityOf(caller: Caller): Identity;
  /** Notes what fell due by the clock alone, so that a reader finds it. */
  settle(): Promise<void>;
}

export interface MailboxPage {
  name: string;
  notes: Note[];
  count: number;
  unread: number;
  /** Whether there are more notes after the last of these. */
  more: boolean;
  /** The seq of the last of these notes; without any, where the reader is already. */
  next_since: number;
}

export interface MailboxQuery {
  /** Only notes after this seq. */
  since?: number | undefined;
  limit: number;
}

export type Mailboxes = ReturnType<typeof createMailboxes>;

const noteFromRow = ({ content, ...row }: store.NoteRow): Note =>
  ({ ...row, ...(JSON.parse(content) as object) }) as Note;

export function createMailboxes({ storage, commands, changes, clock, identityOf, settle }: MailboxDeps) {
  return {
    /** A page of notes, oldest first; with `wait_seconds`, one without notes is held until one comes. */
    async read(caller: Caller, { since, limit }: MailboxQuery, wait: WaitOptions = {}): Promise<MailboxPage> {
      const { name, canonical } = identityOf(caller);
      await settle();
      let from = since;
      const page = await changes.readUntil(
        mailboxSubject(canonical),
        wait,
        async () => {
          const read = await storage.read((tx) => readPage(tx, canonical, from, limit));
          // What was ahead of all notes at first would otherwise stay ahead of those that come.
          if (from !== undefined) from = Math.min(from, read.next_since);
          return read;
        },
        ({ notes }) => notes.length > 0,
      );
      return { name, ...page };
    },

    /** Moves the read mark; answers where it is. */
    async acknowledge(caller: Caller, through: number): Promise<{ through: number; unread: number }> {
      const identity = identityOf(caller);
      const input = { identity, through, now_ms: clock.now() };
      return (await commands.run(caller, "mailbox.ack", identity.name, input)).result;
    },

    /** Takes all notes out. */
    async clear(caller: Caller): Promise<{ cleared: true }> {
      const identity = identityOf(caller);
      const input = { identity, now_ms: clock.now() };
      return (await commands.run(caller, "mailbox.clear", identity.name, input)).result;
    },

    /**
     * The caller's mailbox for a stream from `since`: its subject, the seq of its latest note, and the one after which the
     * stream begins, the latest where `since` says nothing or lies beyond it. Throws `notes_pruned`.
     */
    async follow(
      caller: Caller,
      since: number | undefined,
    ): Promise<{ owner: string; subject: string; position: number; latest: number }> {
      const { canonical } = identityOf(caller);
      const latest = await storage.read(async (tx) => {
        const { last_seq } = await store.findMailbox(tx, canonical);
        checkKept(since, (await store.countNotes(tx, canonical, 0)).oldest ?? last_seq + 1);
        return last_seq;
      });
      const position = Math.min(since ?? latest, latest);
      return { owner: canonical, subject: mailboxSubject(canonical), position, latest };
    },

    /** The notes of a name after `since`, for streams: whoever asks was authenticated when the stream began. */
    async notesOf(owner: string, since: number, limit: number): Promise<Note[]> {
      return (await storage.read((tx) => store.notesSince(tx, owner, since, limit))).map(noteFromRow);
    },
  };
}

async function readPage(tx: Tx, owner: string, since: number | undefined, limit: number) {
  const { read_through, last_seq } = await store.findMailbox(tx, owner);
  const { oldest, count, unread } = await store.countNotes(tx, owner, read_through);
  checkKept(since, oldest ?? last_seq + 1);
  const rows = await store.notesSince(tx, owner, since ?? 0, limit + 1);
  const notes = rows.slice(0, limit).map(noteFromRow);
  const next_since = notes.at(-1)?.seq ?? last_seq;
  return { notes, count, unread, more: rows.length > limit, next_since };
}

/** Throws `notes_pruned` when notes after `since` were dropped. */
function checkKept(since: number | undefined, oldest: number): void {
  if (since === undefined || since >= oldest - 1) return;
  throw new ServiceError("notes_pruned", `Notes before ${oldest} are no longer kept.`, {
    members: { oldest },
    hint: `Go on with since=${oldest - 1}: what was before it is lost.`,
  });
}
