/** Errors of the positions at which a wait begins. */

import { fieldText, isFailure, ServiceError } from "../core/errors.ts";
import { call_errors } from "../core/general_errors.ts";
import { wait_limits } from "../api/limits.ts";

/** The slugs of rooms in what callers write, from their own feature. */
export interface RoomSpellings {
  /** The slug that a text spells. */
  plainSlug(text: string): string;
  /** The slug in a text that may also be any address of the room. */
  slugFromAddress(text: string): string;
}

/** Throws if a call names too many rooms in `path`. */
export function checkCount(path: string, rooms: number): void {
  const { rooms_max } = wait_limits;
  if (rooms > rooms_max)
    throw wrongPosition(path, `names ${rooms} rooms; at most ${rooms_max} fit in a call`);
}

/** Names a room of a call by its place in it. */
export const placeOf = (i: number, count: number): string =>
  count === 1 ? "the room" : `room ${i + 1} of ${count}`;

/** An `invalid_fields` whose hint is how to begin. */
export function wrongPosition(path: string, message: string): ServiceError {
  const errors = [{ path, message }];
  return new ServiceError(call_errors.invalid_fields, errors.map(fieldText).join("; "), {
    errors,
    situation: "position",
  });
}

/** Runs `read`, whose `invalid_fields` is about the position in `path`. */
export async function atPosition<Result>(
  path: string,
  read: () => Promise<Result>,
  place = "",
): Promise<Result> {
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

/** Runs a read of a room that `path` has. Its errors name the place of the room in the call, never its slug. */
export async function inRoom<Result>(
  place: string,
  read: () => Promise<Result>,
  path = "rooms",
): Promise<Result> {
  try {
    return await atPosition(path, read, `has a position in ${place} that `);
  } catch (error) {
    const lost = error instanceof ServiceError ? lost_rooms[error.code] : undefined;
    if (!lost) throw error;
    const { definition, extra } = error as ServiceError;
    throw new ServiceError(definition, lost(place), { ...extra, situation: "wait" });
  }
}
