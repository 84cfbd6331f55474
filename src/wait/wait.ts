/**
 * Waits for several kinds of news in one call: posts in rooms, changes of leases, notes in the caller's mailbox, new jobs, new public
 * rooms, a round of the beacon. Answers with everything that is there as soon as there is something, and with the positions for the next call.
 */

import type { Caller } from "../core/caller.ts";
import type { Waits, WaitOptions } from "../core/waits.ts";
import type { Beacon } from "../beacon/beacon.ts";
import type { Note } from "../api/mailbox.ts";
import type { JobRecord } from "../jobs/representations.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { Mailboxes, MailboxPage } from "../mailbox/mailbox.ts";
import type { Position } from "../rooms/positions.ts";
import type { IsOwn } from "../rooms/reads.ts";
import type { RoomPage, RoomRecord } from "../rooms/representations.ts";
import type { Rooms } from "../rooms/rooms.ts";
import { wait_limits } from "../api/limits.ts";
import { beginLeases, followLeases, type LeaseCursors, type LeaseNews, type LeaseSource } from "./leases.ts";
import { atPosition, checkCount, inRoom, placeOf, wrongPosition } from "./positions.ts";

/** Where to begin: `now`, or a position from an earlier answer. A kind that is left out is not waited for. */
export interface WaitRequest {
  /** By slug: `now`, or a position in the room. */
  rooms?: Record<string, Position> | undefined;
  /** By slug: `now`, or the time of a change of leases. */
  leases?: Record<string, Position> | undefined;
  /** `unread` begins before the notes that are unread. */
  mailbox?: Position | undefined;
  jobs?: string | undefined;
  new_rooms?: string | undefined;
  /** `next`, which is the round that runs, or the number of a round: its seed ends the wait. */
  beacon?: Position | undefined;
  /** A name without a key whose posts and rooms are the caller's own. */
  not_by?: string | undefined;
}

/** The positions for the next call. A closed room has none, nor has a round that has ended. */
export interface Cursors {
  rooms?: Record<string, number>;
  leases?: LeaseCursors;
  mailbox?: number;
  jobs?: string;
  new_rooms?: string;
  beacon?: number;
}

/** Where a wait begins: the cursors of a request with positions for `now`, `unread` and `next`. */
interface Beginning extends Omit<Cursors, "rooms"> {
  rooms?: Record<string, Position>;
  /** How many notes were unread at `now`. */
  unread_before?: number;
}

export interface News {
  /** Pages with posts of others, quiet ones among them, and pages of rooms that were closed. */
  pages: RoomPage[];
  leases: LeaseNews;
  mailbox: MailboxPage | null;
  unread_before: number;
  jobs: JobRecord[];
  new_rooms: RoomRecord[];
  /** A round that has ended. */
  round: { round: number; seed: string; commit: string } | null;
  cursors: Cursors;
}

interface WaitDeps {
  waits: Waits;
  rooms: Rooms;
  leases: LeaseSource;
  mailboxes: Mailboxes;
  jobs: Jobs;
  beacon: Pick<Beacon, "now" | "round" | "topic">;
}

export type NewsWaits = ReturnType<typeof createWait>;

type Reads = Map<string, () => Promise<true | null>>;

export function createWait({ waits, rooms, leases, mailboxes, jobs, beacon }: WaitDeps) {
  const posted = (at?: string) => atPosition("jobs", () => jobs.posted(at));
  const opened = (at?: string) => atPosition("new_rooms", () => rooms.opened(at));

  async function beginMailbox(caller: Caller, begin: Position) {
    if (!/^(?:now|unread|\d{1,15})$/.test(String(begin)))
      throw wrongPosition("mailbox", "must be the position in an earlier answer, now or unread");
    const { seq, read_through, unread } = await mailboxes.latest(caller);
    if (begin === "now") return { mailbox: seq, unread_before: unread };
    return { mailbox: begin === "unread" ? read_through : Math.min(Number(begin), seq) };
  }

  async function beginBeacon(begin: Position): Promise<number> {
    if (begin === "next") return (await beacon.now()).round;
    if (/^\d{1,15}$/.test(String(begin))) return Number(begin);
    throw wrongPosition("beacon", "must be the number of a round, or next");
  }

  async function beginRooms(caller: Caller, slugs: [string, Position][]): Promise<Record<string, Position>> {
    const positions: Record<string, Position> = {};
    for (const [i, [slug, since]] of slugs.entries()) {
      const latest = async () => (await rooms.find(await rooms.admit(caller, slug))).posts;
      positions[slug] = since === "now" ? await inRoom(placeOf(i, slugs.length), latest) : since;
    }
    return positions;
  }

  /** Throws `invalid_fields`, `credential_required`, `room_not_found` and `room_deleted`. */
  async function beginningOf(caller: Caller, request: WaitRequest): Promise<Beginning> {
    const { rooms: followed = {}, mailbox, jobs: job, new_rooms: room, beacon: round } = request;
    const { leases: held = {} } = request;
    const slugs = Object.entries(followed);
    checkCount("rooms", slugs.length);
    const begun: Beginning = {
      ...(mailbox !== undefined && (await beginMailbox(caller, mailbox))),
      ...(job !== undefined && { jobs: job === "now" ? (await posted()).cursor : job }),
      ...(room !== undefined && { new_rooms: room === "now" ? (await opened()).cursor : room }),
      ...(round !== undefined && { beacon: await beginBeacon(round) }),
      ...(slugs.length > 0 && { rooms: await beginRooms(caller, slugs) }),
      ...(Object.keys(held).length > 0 && {
        leases: await beginLeases(leases, (room) => rooms.admit(caller, room), held),
      }),
    };
    if (Object.keys(begun).length === 0) throw wrongPosition("", "names nothing to wait for");
    return begun;
  }

  /** Adds the reads of rooms. */
  function followRooms(
    reads: Reads,
    news: News,
    caller: Caller,
    followed: Record<string, Position>,
    isOwn?: IsOwn,
  ): void {
    const cursors: Record<string, number> = (news.cursors.rooms = {});
    const slugs = Object.entries(followed);
    const chars_max = Math.ceil(wait_limits.posts_chars_max / slugs.length);
    for (const [i, [room, begin]] of slugs.entries()) {
      let since = begin;
      reads.set(rooms.topic(room), async () => {
        const page = await inRoom(placeOf(i, slugs.length), async () => {
          const admitted = await rooms.admit(caller, room);
          const query = { room: admitted, since, limit: wait_limits.posts_per_room, chars_max };
          return rooms.read(query, { isOwn, reader: caller });
        });
        cursors[room] = page.next_n;
        const is_over = page.room.closed_at !== null && !page.more;
        if (is_over) delete cursors[room];
        // The page takes the place of an earlier one with the same quiet posts.
        const earlier = news.pages.findIndex(({ room: { slug } }) => slug === room);
        if (earlier >= 0) news.pages.splice(earlier, 1);
        const is_empty = page.posts.length === 0 && !is_over;
        if (!is_empty) news.pages.push(page);
        const has_news = !is_empty && rooms.isNews(page);
        // Quiet posts alone end no wait: they are read again with what comes next.
        if (is_empty || has_news) since = page.next_n;
        return has_news || null;
      });
    }
  }

  /**
   * Adds the read of the caller's mailbox. Returns a function that completes the news: a post and the note about it are said once.
   */
  function followMailbox(reads: Reads, news: News, caller: Caller, begin: number) {
    const { cursors, pages } = news;
    cursors.mailbox = begin;
    const read = () =>
      mailboxes.read(caller, {
        since: cursors.mailbox!,
        limit: wait_limits.notes_max,
        may_lack: true,
        with_posts: true,
      });
    reads.set(mailboxes.topic(caller), async () => {
      const page = await read();
      if (page.notes.length === 0) cursors.mailbox = page.next_since;
      news.mailbox = page.notes.length > 0 ? page : null;
      return page.notes.length > 0 || null;
    });
    return async (): Promise<void> => {
      // A post and its notes are stored together: notes that are read after posts include those about all of these posts.
      for (const note of news.mailbox?.notes ?? []) {
        const has_page = pages.some((page) => page.room.slug === note.room && rooms.isNews(page));
        if (isAhead(note, cursors) && !has_page) await reads.get(rooms.topic(note.room as string))!();
      }
      if (pages.length > 0) mailboxes.noteFetched(takeNotes(news, await read()));
      else if (news.mailbox) {
        cursors.mailbox = news.mailbox.next_since;
        mailboxes.noteFetched(news.mailbox.notes);
      }
    };
  }

  /** Adds the reads of new jobs and new rooms. */
  function followLists(reads: Reads, news: News, begin: Beginning, own?: string, isOwn?: IsOwn): void {
    const { cursors } = news;
    if (begin.jobs !== undefined) {
      cursors.jobs = begin.jobs;
      reads.set(jobs.posted_topic, async () => {
        const found = await posted(cursors.jobs);
        cursors.jobs = found.cursor;
        news.jobs = found.jobs.filter(({ poster }) => poster !== own);
        return news.jobs.length > 0 || null;
      });
    }
    if (begin.new_rooms === undefined) return;
    cursors.new_rooms = begin.new_rooms;
    reads.set(rooms.opened_topic, async () => {
      const found = await opened(cursors.new_rooms);
      cursors.new_rooms = found.cursor;
      news.new_rooms = found.rooms.filter(({ host }) => !isOwn?.(host));
      return news.new_rooms.length > 0 || null;
    });
  }

  /** Adds the read of a round. */
  function followBeacon(reads: Reads, news: News, round: number): void {
    news.cursors.beacon = round;
    reads.set(beacon.topic, async () => {
      const { seed, commit } = await beacon.round(round);
      if (seed === null) return null;
      news.round = { round, seed, commit };
      delete news.cursors.beacon;
      return true;
    });
  }

  return {
    /** Waits. Throws what `beginningOf` throws, and the errors of a round of the beacon. */
    async news(caller: Caller, request: WaitRequest, wait: WaitOptions): Promise<News> {
      const begin = await beginningOf(caller, request);
      const { unread_before = 0 } = begin;
      const nothing = { pages: [], leases: {}, mailbox: null, jobs: [], new_rooms: [], round: null };
      const news: News = { ...nothing, unread_before, cursors: {} };
      const reads: Reads = new Map();
      const isOwn = rooms.ownPosts(caller.identity, request.not_by);
      const complete = begin.mailbox === undefined ? null : followMailbox(reads, news, caller, begin.mailbox);
      followLists(reads, news, begin, caller.identity?.name, isOwn);
      if (begin.rooms) followRooms(reads, news, caller, begin.rooms, isOwn);
      if (begin.leases)
        news.cursors.leases = followLeases(
          reads,
          leases,
          (room) => rooms.admit(caller, room),
          begin.leases,
          news.leases,
        );
      if (begin.beacon !== undefined) followBeacon(reads, news, begin.beacon);
      await waits.readAny(reads, wait);
      await complete?.();
      return news;
    },

    /** The request with positions for `now`, `unread` and `next`. Throws what `news` throws at its beginning. */
    async positions(request: WaitRequest, caller: Caller): Promise<WaitRequest> {
      const { unread_before: _, ...begin } = await beginningOf(caller, request);
      return begin;
    },
  };
}

/** Whether a note is about a post that comes after the position in a room that is waited for. */
function isAhead({ room, n }: Note, { rooms = {} }: Cursors): boolean {
  const through = rooms[room as string];
  return through !== undefined && n !== undefined && n > through;
}

/**
 * Takes the notes of a page into news that have posts. Leaves out the notes about posts that are there, and stops before a note about
 * a post that comes later. Returns the notes that its caller gets, as notes or as posts.
 */
function takeNotes(news: News, page: MailboxPage): Note[] {
  const { pages, cursors } = news;
  const key = (room: unknown, n: number) => `${String(room)}#${n}`;
  const posts = new Set(pages.flatMap(({ room, posts }) => posts.map(({ n }) => key(room.slug, n))));
  const isSaid = ({ seq, room }: Note): boolean => {
    const numbers = page.posts!.get(seq)!;
    return numbers.length > 0 && numbers.every((n) => posts.has(key(room, n)));
  };
  const ahead = page.notes.findIndex((note) => isAhead(note, cursors));
  const taken = ahead < 0 ? page.notes : page.notes.slice(0, ahead);
  const notes = taken.filter((note) => !isSaid(note));
  cursors.mailbox = ahead < 0 ? page.next_since : (taken.at(-1)?.seq ?? cursors.mailbox!);
  news.mailbox = notes.length > 0 || page.dropped_through !== undefined ? { ...page, notes } : null;
  return taken;
}
