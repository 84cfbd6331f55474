/** The operations of mailboxes, called by every transport. Reading does not remove notes. */

import { mailbox_errors } from "./errors.ts";
import type { Waits, WaitOptions } from "../core/waits.ts";
import type { Clock } from "../core/clock.ts";
import type { CommandRunner, FeatureStorage } from "../core/commands.ts";
import type { MailboxCommands } from "./feature.ts";
import { refuseAccessToken } from "../core/caller_errors.ts";
import { ServiceError } from "../core/errors.ts";
import type { Caller, Identity } from "../core/caller.ts";
import type { Ready } from "../core/ready.ts";
import type { IdempotentCall, Tx } from "../core/storage.ts";
import { mailboxTopic } from "./commands.ts";
import type { FetchedNotes } from "./delivery.ts";
import { bytesOf, withExcerpts, type ExcerptSources, type StoredNote } from "./excerpts.ts";
import { numbersAfter, placedNote } from "./folding.ts";
import type { Note } from "../api/mailbox.ts";
import type { Reach, Reached } from "../api/reach.ts";
import { timeOfNote } from "./reach.ts";
import * as store from "./store.ts";

interface MailboxDeps {
  storage: FeatureStorage<MailboxCommands>;
  commands: CommandRunner<MailboxCommands>;
  waits: Waits;
  clock: Clock;
  /** The caller's claimed name. Throws if the caller sent no key. */
  identityOf(caller: Caller): Identity;
  /** Writes notes that are due by time alone, such as notes of expired leases. Called before each read. */
  settle(): Promise<void>;
  /** Reads what notes show of posts and jobs. */
  excerpts: ExcerptSources;
  fetched: Pick<FetchedNotes, "add">;
}

export interface MailboxPage {
  name: string;
  notes: Note[];
  count: number;
  unread: number;
  /** The number of notes after this page. */
  left: number;
  /** The seq of the last note of the page; of the latest note if the page is empty. */
  next_since: number;
  /** Some notes after `since` and up to this seq were dropped. Absent if none are missing. */
  dropped_through?: number;
  /** Whether authors do not see what became of their posts to the name. */
  hides_delivery: boolean;
  /** By the seqs of its notes, if requested: the numbers of the posts that came after `since`; none if they are not all known. */
  posts?: ReadonlyMap<number, number[]>;
}

interface MailboxQuery {
  /** Only notes after this seq, or after the read mark. */
  since?: number | "read mark" | undefined;
  /** Whether a `since` before notes that were dropped is no error: the page then has `dropped_through`. */
  may_lack?: boolean;
  with_posts?: boolean;
  limit: number;
}

export type Mailboxes = ReturnType<typeof createMailboxes>;

/** A reply or a mention that is not folded has the count 1; a folded note stores its count. */
const noteFromRow = ({ content, room, ...row }: store.NoteRow, read_through: number): StoredNote =>
  ({
    ...row,
    unread: row.seq > read_through,
    ...(room !== null && row.kind !== "room.added" && { count: 1 }),
    ...(JSON.parse(content) as object),
  }) as StoredNote;

export function createMailboxes(deps: MailboxDeps) {
  const { storage, commands, waits, clock, identityOf, settle, excerpts, fetched } = deps;
  return {
    /**
     * A page of notes, oldest first. With `wait_seconds`, waits for a note if the page is empty. `reserve`: called with about the
     * most bytes of the notes before what they are about is read.
     */
    async read(
      caller: Caller,
      query: MailboxQuery,
      { reserve, ...wait }: WaitOptions & { reserve?: (bytes: number) => Ready<unknown> } = {},
    ): Promise<MailboxPage> {
      const { name, canonical } = identityOf(caller);
      await settle();
      let from = query.since;
      const page = await waits.readUntil(
        mailboxTopic(canonical),
        wait,
        async () => {
          const read = await storage.read((tx) => readPage(tx, canonical, { ...query, since: from }));
          // A `since` beyond the latest note would otherwise hide the notes that come next.
          if (typeof from === "number") from = Math.min(from, read.next_since);
          return read;
        },
        ({ notes }) => notes.length > 0,
      );
      await reserve?.(bytesOf(page.notes));
      return { name, ...page, notes: await withExcerpts(canonical, page.notes, excerpts, clock) };
    },

    /** Remembers that the owner of these notes gets them with an answer. Callers of the reads call it with what they answer. */
    noteFetched: (notes: readonly Note[]): void => fetched.add(notes),

    /** The topic of the caller's mailbox. */
    topic: (caller: Caller): string => mailboxTopic(identityOf(caller).canonical),

    /** The seq of the latest note of the caller's mailbox, its read mark, and how many notes came after that. */
    async latest(caller: Caller): Promise<{ seq: number; read_through: number; unread: number }> {
      const { canonical } = identityOf(caller);
      return storage.read(async (tx) => {
        const { last_seq: seq, read_through } = await store.findMailbox(tx, canonical);
        const { unread } = await store.countNotes(tx, canonical, read_through);
        return { seq, read_through, unread };
      });
    },

    /** The latest `limit` unread notes of the caller, oldest first. */
    async unread(caller: Caller, limit: number): Promise<Note[]> {
      const { canonical } = identityOf(caller);
      await settle();
      const rows = await storage.read((tx) => store.latestUnread(tx, canonical, limit));
      const notes = rows.toReversed().map((row) => noteFromRow(row, 0));
      return withExcerpts(canonical, notes, excerpts, clock);
    },

    /** The number of unread notes of a name. */
    unreadOf: (canonical: string): Promise<number> => storage.read((tx) => store.countUnread(tx, canonical)),

    /** Moves the read mark. Returns its position. */
    async acknowledge(
      caller: Caller,
      through: number,
      call?: IdempotentCall,
    ): Promise<{ through: number; unread: number }> {
      const identity = identityOf(caller);
      const input = { identity, through, now_ms: clock.now() };
      return (await commands.run(caller, "mailbox.ack", identity.name, input, call)).result;
    },

    /**
     * Records that the agent of the caller's name was reached: by which way, now, and how long after the note `through`. Returns the
     * last record: one for the same note or a later one stays. Throws `notes_pruned` if the note is no longer stored.
     */
    async reached(caller: Caller, { through, by }: Reached): Promise<Reach> {
      const identity = identityOf(caller);
      const measured = async () => {
        const note_ms = await timeOfNote(storage, excerpts.posts, identity.canonical, through);
        return { identity, through, by, note_ms, now_ms: clock.now() };
      };
      return (await commands.run(caller, "mailbox.reached", identity.name, measured)).result;
    },

    /** Sets whether authors see what became of their posts to the name. Throws `credential_required` for an access token. */
    async setDelivery(caller: Caller, shown: boolean): Promise<{ shown: boolean }> {
      const identity = identityOf(caller);
      refuseAccessToken(caller, "The access token of a program cannot change what the name shows of itself.");
      const input = { identity, shown, now_ms: clock.now() };
      return (await commands.run(caller, "mailbox.delivery", identity.name, input)).result;
    },

    /** Whether the caller's name hides from authors what became of their posts to it. */
    async hidesDelivery(caller: Caller): Promise<boolean> {
      const { canonical } = identityOf(caller);
      return (await storage.read((tx) => store.findMailbox(tx, canonical))).delivery_off === 1;
    },

    /** Deletes all notes. */
    async clear(caller: Caller): Promise<{ cleared: true }> {
      const identity = identityOf(caller);
      const input = { identity, now_ms: clock.now() };
      return (await commands.run(caller, "mailbox.clear", identity.name, input)).result;
    },

    /**
     * The caller's mailbox for a stream from `since`: its topic, the seq of its latest note, and the one after which the
     * stream begins, the latest where `since` says nothing or lies beyond it. Throws `notes_pruned` when any note after
     * `since` was dropped: a stream can say it in no other way.
     */
    async follow(
      caller: Caller,
      since: number | undefined,
    ): Promise<{ owner: string; topic: string; position: number; latest: number }> {
      const { canonical } = identityOf(caller);
      const latest = await storage.read(async (tx) => {
        const { last_seq, dropped_through } = await store.findMailbox(tx, canonical);
        if (since !== undefined && since < dropped_through) {
          const oldest = (await store.countNotes(tx, canonical, 0)).oldest ?? last_seq + 1;
          const from = Math.max(oldest - 1, dropped_through);
          throw pruned(oldest, `Go on with since=${from}: no note after it is missing.`);
        }
        return last_seq;
      });
      const position = Math.min(since ?? latest, latest);
      return { owner: canonical, topic: mailboxTopic(canonical), position, latest };
    },

    /** The notes of a name after `since`, for streams, whose caller was authenticated when the stream began. */
    async notesOf(owner: string, since: number, limit: number): Promise<Note[]> {
      const notes = await storage.read(async (tx) => {
        const { read_through } = await store.findMailbox(tx, owner);
        return (await store.notesSince(tx, owner, since, limit)).map((row) => noteFromRow(row, read_through));
      });
      return withExcerpts(owner, notes, excerpts, clock);
    },
  };
}

/**
 * A page after `since`. If notes after `since` were dropped: throws `notes_pruned` if all older notes were dropped, too;
 * otherwise older notes of the other kind (rooms, or jobs and names) are left, and the page has `dropped_through`.
 */
async function readPage(
  tx: Tx,
  owner: string,
  { since: wanted, limit, may_lack = false, with_posts = false }: MailboxQuery,
) {
  const { read_through, last_seq, dropped_through, delivery_off } = await store.findMailbox(tx, owner);
  const { oldest, count, unread } = await store.countNotes(tx, owner, read_through);
  const since = wanted === "read mark" ? read_through : wanted;
  const is_whole = since === undefined || since >= dropped_through;
  const first_seq = oldest ?? last_seq + 1;
  // The read mark is not a position that the caller chose.
  if (!is_whole && !may_lack && wanted !== "read mark" && since < first_seq - 1) throw pruned(first_seq);
  const rows = await store.notesSince(tx, owner, since ?? 0, limit + 1);
  const shown = rows.slice(0, limit);
  const notes = shown.map((row) => noteFromRow(row, read_through));
  const next_since = notes.at(-1)?.seq ?? last_seq;
  const left = rows.length > limit ? (await store.countNotes(tx, owner, next_since)).unread : 0;
  const posts = () => new Map(shown.map((row) => [row.seq, numbersAfter(placedNote(row), since ?? 0)]));
  return {
    ...{ notes, count, unread, left, next_since, hides_delivery: delivery_off === 1 },
    ...(!is_whole && { dropped_through }),
    ...(with_posts && { posts: posts() }),
  };
}

const pruned = (
  oldest: number,
  hint = `Go on with since=${oldest - 1}: it reads all that are kept, from the oldest.`,
): ServiceError =>
  new ServiceError(mailbox_errors.notes_pruned, "Some notes after that since are no longer kept.", {
    members: { oldest },
    hint,
  });
