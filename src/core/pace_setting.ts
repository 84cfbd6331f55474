/** The setting of the pace of rooms: when the few names that speak in one are slowed down. */

import { pace_limits } from "./limits.ts";
import { setting } from "./setting.ts";

const names_default = 2;
const rule = "must be off, or posts/seconds/seconds between/names such as 60/300/60/2";

/** The text of a pace with all its numbers; null for off. */
function pace(text: string): string | null {
  if (text === "off") return null;
  if (!/^\d{1,5}\/\d{1,5}\/\d{1,5}(?:\/\d{1,2})?$/.test(text)) throw new Error(rule);
  const [posts = 0, window = 0, spacing = 0, names = names_default] = text.split("/").map(Number);
  const { posts_min, posts_max, window_seconds_max, spacing_seconds_max, names_max } = pace_limits;
  const fits =
    posts >= posts_min &&
    posts <= posts_max &&
    window >= 1 &&
    window <= window_seconds_max &&
    spacing >= 1 &&
    spacing <= spacing_seconds_max &&
    names >= 1 &&
    names <= names_max;
  if (!fits) throw new Error(rule);
  return [posts, window, spacing, names].join("/");
}

/** Null: off. */
export const pace_setting = setting<string | null>({
  flag: "pace",
  value_name: "pace",
  description:
    "when few names post fast in a room: posts/seconds/seconds between their next posts/names, or off; off with --no-rate-limit, too",
  default: "60/300/60/2",
  parse: pace,
});

/** The pace of rooms whose host has chosen none, as the setting has it; undefined if they have none. */
export const instancePace = (config: { pace: string | null; rate_limit: boolean }): string | undefined =>
  config.rate_limit ? (config.pace ?? undefined) : undefined;
