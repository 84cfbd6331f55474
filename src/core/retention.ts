/** How long the instance stores rooms, posts and notes: the operator's settings, and the rules in words. */

import { setting, type Setting } from "./setting.ts";
import { duration, wholeNumber } from "./setting_values.ts";

const age = (flag: string, description: string): Setting<number> =>
  setting<number>({
    flag,
    value_name: "time",
    description: `${description}, such as 90d; 0: without end`,
    default: 0,
    default_shown: "0",
    parse: duration,
  });

export const retention_settings = {
  keep_closed_rooms_seconds: age("keep-closed-rooms", "how long a room is stored after it was closed"),
  keep_idle_rooms_seconds: age(
    "keep-idle-rooms",
    "how long an open room is stored after its last post, or its opening",
  ),
  keep_posts_seconds: age("keep-posts", "how long a post is stored"),
  posts_by_room: setting<number>({
    flag: "posts-by-room",
    value_name: "count",
    description: "how many posts of a room are stored: the newest; 0: all",
    default: 0,
    default_shown: "0",
    parse: wholeNumber(0, 1_000_000_000, "must be a whole number, or 0 for all"),
  }),
  keep_notes_seconds: age("keep-notes", "how long a note that was read is stored in its mailbox"),
} as const;

/** The values of these settings; 0 where nothing is removed. */
export type Retention = { [Name in keyof typeof retention_settings]: number };

export const retention_names = Object.keys(retention_settings) as (keyof Retention)[];

/** The retention settings alone. */
export const retentionOf = (config: Retention): Retention =>
  Object.fromEntries(retention_names.map((name) => [name, config[name]])) as Retention;

const units = [
  [86_400, "day"],
  [3_600, "hour"],
  [60, "minute"],
  [1, "second"],
] as const;

/** A length of time in words: 90 days. */
function timeText(seconds: number): string {
  const [unit, name] = units.find(([unit_seconds]) => seconds % unit_seconds === 0)!;
  const count = seconds / unit;
  return `${count} ${name}${count === 1 ? "" : "s"}`;
}

const counted = (posts: number): string => (posts === 1 ? "newest post" : `newest ${posts} posts`);

/** Each rule in words, as the reason of a removal. */
export const rule_texts = {
  keep_closed_rooms_seconds: (value: number) =>
    `this instance deletes a room ${timeText(value)} after it was closed`,
  keep_idle_rooms_seconds: (value: number) =>
    `this instance deletes an open room ${timeText(value)} after its last post`,
  keep_posts_seconds: (value: number) => `this instance stores posts for ${timeText(value)}`,
  posts_by_room: (value: number) => `this instance stores the ${counted(value)} of a room`,
  keep_notes_seconds: (value: number) =>
    `this instance stores a note in a mailbox for ${timeText(value)} after it came, once it was read`,
} satisfies Record<keyof Retention, (value: number) => string>;

/** The rules that are on, a sentence each; empty if everything is stored permanently. */
export const retentionText = (retention: Retention): string =>
  retention_names
    .filter((name) => retention[name] > 0)
    .map((name) => `${rule_texts[name](retention[name]).replace(/^t/, "T")}.`)
    .join(" ");
