/**
 * Waits for several kinds of news in one call: posts in rooms, notes in the caller's mailbox, new jobs, new public rooms.
 * Answers with everything that is there as soon as there is something, and with the positions for the next call.
 */

import type { Caller } from "../core/caller.ts";
import { call_errors } from "../core/general_errors.ts";
import { fieldText, isFailure, ServiceError } from "../core/errors.ts";
import type { Waits, WaitOptions } from "../core/waits.ts";
import type { JobRecord } from "../jobs/representations.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { Mailboxes, MailboxPage } from "../mailbox/mailbox.ts";
import type { Position } from "../rooms/positions.ts";
import type { RoomPage, RoomRecord } from "../rooms/representations.ts";
import type { Rooms } from "../rooms/rooms.ts";
import { wait_limits } from "../api/limits.ts";

/** Where to begin: `now`, or a position from an earlier answer. A kind that is left out is not waited for. */
export interface WaitRequest {
  /** By slug: `now`, or a position in the room. */
  rooms?: Record<string, Position> | undefined;
  mailbox?: Position | undefined;
  jobs?: string | undefined;
  new_rooms?: string | undefined;
  /** A name without a key whose posts and rooms are the caller's own. */
  not_by?: string | undefined;
}

/** The positions for the next call. A closed room has none. */
export interface Cursors {
  rooms?: Record<string, number>;
  mailbox?: number;
  jobs?: string;
  new_rooms?: string;
}

export interface News {
  /** Pages with posts of others, and pages of rooms that were closed. */
  pages: RoomPage[];
  mailbox: MailboxPage | null;
  jobs: JobRecord[];
  new_rooms: RoomRecord[];
  cursors: Cursors;
}

interface WaitDeps {
  waits: Waits;
  rooms: Rooms;
  mailboxes: Mailboxes;
  jobs: Jobs;
}

export type WaitForNews = ReturnType<typeof createWait>;

type Reads = Map<string, () => Promise<true | null>>;

export function createWait({ waits, rooms, mailboxes, jobs }: WaitDeps) {
  /** Adds the reads of rooms. */
  async function followRooms(reads: Reads, news: News, caller: Caller, request: WaitRequest): Promise<void> {
    const slugs = Object.keys(request.rooms ?? {});
    if (slugs.length === 0) return;
    const cursors: Record<string, number> = (news.cursors.rooms = {});
    const isOwn = rooms.ownPosts(caller.identity, request.not_by);
    const chars_max = Math.ceil(wait_limits.posts_chars_max / slugs.length);
    for (const [i, room] of slugs.entries()) {
      const place = slugs.length === 1 ? "the room" : `room ${i + 1} of ${slugs.length}`;
      let since = request.rooms![room]!;
      if (since === "now") since = (await inRoom(place, () => rooms.find(room))).posts;
      reads.set(rooms.topic(room), async () => {
        const query = { room, since, limit: wait_limits.posts_per_room, chars_max };
        const page = await inRoom(place, () => rooms.read(query, { isOwn }));
        since = cursors[room] = page.next_n;
        const is_over = page.room.closed_at !== null && !page.more;
        if (is_over) delete cursors[room];
        if (page.posts.length === 0 && !is_over) return null;
        news.pages.push(page);
        return true;
      });
    }
  }

  /** Adds the read of the caller's mailbox. Throws `credential_required`. */
  async function followMailbox(reads: Reads, news: News, caller: Caller, begin: Position): Promise<void> {
    if (!/^(?:now|\d{1,15})$/.test(String(begin)))
      throw wrongPosition("mailbox", "must be the position in an earlier answer, or now");
    const { topic, seq } = await mailboxes.latest(caller);
    news.cursors.mailbox = begin === "now" ? seq : Math.min(Number(begin), seq);
    reads.set(topic, async () => {
      const query = { since: news.cursors.mailbox!, limit: wait_limits.notes_max, may_lack: true };
      const page = await mailboxes.read(caller, query);
      news.cursors.mailbox = page.next_since;
      if (page.notes.length === 0) return null;
      news.mailbox = page;
      return true;
    });
  }

  /** Adds the reads of new jobs and new rooms. */
  async function followLists(reads: Reads, news: News, caller: Caller, request: WaitRequest): Promise<void> {
    const { cursors } = news;
    const own = caller.identity?.name;
    const isOwn = rooms.ownPosts(caller.identity, request.not_by);
    const posted = (at: string | undefined) => atPosition("jobs", () => jobs.posted(at));
    const opened = (at: string | undefined) => atPosition("new_rooms", () => rooms.opened(at));
    if (request.jobs !== undefined) {
      cursors.jobs = request.jobs === "now" ? (await posted(undefined)).cursor : request.jobs;
      reads.set(jobs.posted_topic, async () => {
        const found = await posted(cursors.jobs);
        cursors.jobs = found.cursor;
        news.jobs = found.jobs.filter(({ poster }) => poster !== own);
        return news.jobs.length > 0 || null;
      });
    }
    if (request.new_rooms === undefined) return;
    cursors.new_rooms = request.new_rooms === "now" ? (await opened(undefined)).cursor : request.new_rooms;
    reads.set(rooms.opened_topic, async () => {
      const found = await opened(cursors.new_rooms);
      cursors.new_rooms = found.cursor;
      news.new_rooms = found.rooms.filter(({ host }) => !isOwn?.(host));
      return news.new_rooms.length > 0 || null;
    });
  }

  /** Waits. Throws `invalid_fields` for a wrong position, `room_not_found`, `room_deleted` and `credential_required`. */
  return async function waitForNews(caller: Caller, request: WaitRequest, wait: WaitOptions): Promise<News> {
    const count = Object.keys(request.rooms ?? {}).length;
    if (count > wait_limits.rooms_max)
      throw wrongPosition("rooms", `names ${count} rooms; at most ${wait_limits.rooms_max} fit in a call`);
    const news: News = { pages: [], mailbox: null, jobs: [], new_rooms: [], cursors: {} };
    const reads: Reads = new Map();
    if (request.mailbox !== undefined) await followMailbox(reads, news, caller, request.mailbox);
    await followLists(reads, news, caller, request);
    await followRooms(reads, news, caller, request);
    if (reads.size === 0) throw wrongPosition("", "names nothing to wait for");
    await waits.readAny(reads, wait);
    return news;
  };
}

/** An `invalid_fields` whose hint is how to begin. */
function wrongPosition(path: string, message: string): ServiceError {
  const errors = [{ path, message }];
  return new ServiceError(call_errors.invalid_fields, errors.map(fieldText).join("; "), {
    errors,
    situation: "position",
  });
}

/** Runs `read`, whose `invalid_fields` is about the position in `path`. */
async function atPosition<Result>(path: string, read: () => Promise<Result>, place = ""): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (!isFailure(error, call_errors.invalid_fields)) throw error;
    const [{ message } = { message: "is not a position" }] = error.extra.errors ?? [];
    throw wrongPosition(path, place + message);
  }
}

/** What happened to a room that cannot be read, by the code of the error. */
const lost_rooms: Record<string, (place: string) => string> = {
  room_not_found: (place) => `There is no room with the address of ${place}.`,
  room_deleted: (place) => `The operator deleted ${place}.`,
};

/** Runs a read of a room. Its errors name the place of the room in the call, never its slug. */
async function inRoom<Result>(place: string, read: () => Promise<Result>): Promise<Result> {
  try {
    return await atPosition("rooms", read, `has a position in ${place} that `);
  } catch (error) {
    const lost = error instanceof ServiceError ? lost_rooms[error.code] : undefined;
    if (!lost) throw error;
    const { definition, extra } = error as ServiceError;
    throw new ServiceError(definition, lost(place), { ...extra, situation: "wait" });
  }
}
