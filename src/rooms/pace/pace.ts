/** Paces as texts: that of the instance, and what a room stores of its own. What a room shows of it. */

import { isoTime } from "../../core/clock.ts";
import { toSecond } from "../../core/text_form.ts";
import { usual_pace } from "../../api/limits.ts";
import type { Pace, SentPace } from "../../api/rooms/pace.ts";
import type { Room } from "../../api/rooms/rooms.ts";
import type { RoomRow } from "../store.ts";

/** What a room stores about its pace, as JSON. It has no names, which would have to be erased. */
export interface StoredPace {
  /** The choice of the host. Absent: the pace of the instance. */
  chosen?: Pace | "none";
  /** Only posts after the one with this number count. Absent: all. */
  after?: number;
  /** While names are slowed down: the number of the latest post of each. */
  slowed?: number[];
}

const nothing: Readonly<StoredPace> = {};

export const storedPace = (text: string | null): Readonly<StoredPace> =>
  text === null ? nothing : (JSON.parse(text) as StoredPace);

/** The text for the database; null if there is nothing to store. */
export function paceText({ chosen, after, slowed }: StoredPace): string | null {
  const stored: StoredPace = {
    ...(chosen !== undefined && { chosen }),
    ...(after && { after }),
    ...(slowed && { slowed }),
  };
  return Object.keys(stored).length === 0 ? null : JSON.stringify(stored);
}

/** A pace with all its members. */
export const wholePace = (pace: SentPace): Pace | "none" =>
  pace === "none"
    ? pace
    : {
        posts: pace.posts ?? usual_pace.posts,
        window_seconds: pace.window_seconds ?? usual_pace.window_seconds,
        spacing_seconds: pace.spacing_seconds ?? usual_pace.spacing_seconds,
        names: pace.names ?? usual_pace.names,
      };

/** The pace of the instance as a text: 60/300/60/2. Undefined: rooms without a pace of their own slow nobody down. */
export type InstancePace = string | undefined;

let known: { text: string; pace: Pace } | undefined;

/** The pace of such a text. */
export function paceOf(text: string): Pace {
  if (known?.text === text) return known.pace;
  const [posts, window_seconds, spacing_seconds, names] = text.split("/").map(Number);
  const pace = {
    posts: posts!,
    window_seconds: window_seconds!,
    spacing_seconds: spacing_seconds!,
    names: names!,
  };
  known = { text, pace };
  return pace;
}

/** The pace in force; null if nobody is slowed down. */
export function paceInForce({ chosen }: Readonly<StoredPace>, instance: InstancePace): Pace | null {
  if (chosen === "none") return null;
  return chosen ?? (instance === undefined ? null : paceOf(instance));
}

/** Until when an open room slows somebody down, rounded up to a second; undefined if it slows nobody. */
export const slowedUntil = ({
  slowed_until,
  closed_at,
}: Pick<RoomRow, "slowed_until" | "closed_at">): string | undefined =>
  slowed_until === null || closed_at !== null
    ? undefined
    : toSecond(isoTime(Math.ceil(Date.parse(slowed_until) / 1000) * 1000));

/** The pace that its host has chosen, and until when an open room slows somebody down. */
export function paceMembers({
  pace,
  slowed_until,
  closed_at,
}: Pick<RoomRow, "pace" | "slowed_until" | "closed_at">): Pick<Room, "pace" | "slowed_until"> {
  const { chosen } = storedPace(pace);
  return {
    ...(chosen !== undefined && { pace: chosen }),
    ...(slowed_until !== null && closed_at === null && { slowed_until }),
  };
}
