/** A room's events as a stream of server-sent events. */

import type { OpenCall } from "../core/open_calls.ts";
import type { Ready } from "../core/ready.ts";
import { isFailure } from "../core/errors.ts";
import { jsonLine } from "../core/text.ts";
import type { EventSource } from "../web/sse/topic.ts";
import { room_errors } from "./errors.ts";
import { leaseMembers } from "./leases/representations.ts";
import type { RoomEvent } from "./queries.ts";
import type { Rooms } from "./rooms.ts";
import { removedOf } from "./removal_notes.ts";
import { roomTopic, type ReadableSlug } from "./slug.ts";
import { treat_as, treat_as_with_leases } from "../api/rooms/rooms.ts";

/**
 * The events of a room in order: `post`, `redacted`, `removed` (posts that the reader misses), `leases` (who holds what by now), and
 * `closed`, which ends the stream. Ids are times. The deletion of the room ends it without an event.
 */
export const roomEvents = (rooms: Rooms, slug: ReadableSlug): EventSource => ({
  topic: roomTopic(slug),
  async next(position) {
    const { events, more, ended } = await rooms.events(slug, position).catch(ifDeleted);
    // Ignore redactions and changes of leases after the closing: the stream has ended.
    const closing = events.findIndex(({ kind }) => kind === "closed");
    const closes = closing !== -1;
    return {
      more: more && !closes,
      ended: ended || closes,
      events: (closes ? events.slice(0, closing + 1) : events).map((event) => ({
        id: event.at,
        event: event.kind,
        data: jsonLine(dataOf(event)),
      })),
    };
  },
});

function dataOf(event: RoomEvent): object {
  if ("post" in event) return { ...event.post, treat_as };
  const { slug } = event.room;
  if (event.kind === "leases") {
    const { leases = [], ...more } = leaseMembers(event.leases);
    return { slug, leases, ...more, treat_as: treat_as_with_leases };
  }
  if (event.kind === "closed") return { slug, closed: true, closed_at: event.at };
  return { slug, removed: removedOf(event.room) };
}

/** An open stream, if its reader is still admitted. Otherwise ends it, and throws `room_not_found`. */
export async function ifAdmitted(
  admitting: Ready<ReadableSlug>,
  call: OpenCall,
  stream: Response,
): Promise<Response> {
  try {
    await admitting;
    return stream;
  } catch (error) {
    await stream.body?.cancel();
    call.close();
    throw error;
  }
}

/** No event, and the end, for a room that was deleted. Of a private one nobody learns that it was there. */
function ifDeleted(error: unknown): Awaited<ReturnType<Rooms["events"]>> {
  if (!isFailure(error, room_errors.room_deleted) && !isFailure(error, room_errors.room_not_found))
    throw error;
  return { events: [], more: false, ended: true };
}
