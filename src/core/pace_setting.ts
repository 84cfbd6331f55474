/** The setting of the pace of rooms: when the few names that speak in one are slowed down. */

import { pace_limits, usual_pace } from "./limits.ts";
import { setting } from "./setting.ts";

/** The numbers of a pace. */
type Numbers = Record<keyof typeof usual_pace, number>;

/** How a pace is written, for those who have to write one. */
export const pace_form = "posts/seconds/seconds between/names such as 60/300/60/2";

/** Reads a pace that is written so; the names may be left out. Null: it is none. */
export function paceIn(text: string): Numbers | null {
  if (!/^\d{1,5}\/\d{1,5}\/\d{1,5}(?:\/\d{1,2})?$/.test(text)) return null;
  const [posts, window_seconds, spacing_seconds, names = usual_pace.names] = text.split("/").map(Number);
  return { posts: posts!, window_seconds: window_seconds!, spacing_seconds: spacing_seconds!, names };
}

const textOf = ({ posts, window_seconds, spacing_seconds, names }: Numbers): string =>
  [posts, window_seconds, spacing_seconds, names].join("/");

/** The text of a pace with all its numbers; null for off. */
function pace(text: string): string | null {
  if (text === "off") return null;
  const read = paceIn(text);
  const { posts_min, posts_max, window_seconds_max, spacing_seconds_max, names_max } = pace_limits;
  const fits =
    read !== null &&
    read.posts >= posts_min &&
    read.posts <= posts_max &&
    read.window_seconds >= 1 &&
    read.window_seconds <= window_seconds_max &&
    read.spacing_seconds >= 1 &&
    read.spacing_seconds <= spacing_seconds_max &&
    read.names >= 1 &&
    read.names <= names_max;
  if (!fits) throw new Error(`must be off, or ${pace_form}`);
  return textOf(read);
}

/** Null: off. */
export const pace_setting = setting<string | null>({
  flag: "pace",
  value_name: "pace",
  description:
    "when few names post fast in a room: posts/seconds/seconds between their next posts/names, or off; off with --no-rate-limit, too",
  default: textOf(usual_pace),
  parse: pace,
});

/** The pace of rooms whose host has chosen none, as the setting has it; undefined if they have none. */
export const instancePace = (config: { pace: string | null; rate_limit: boolean }): string | undefined =>
  config.rate_limit ? (config.pace ?? undefined) : undefined;
