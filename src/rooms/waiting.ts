/** Who waits in a room now, and who did lately. */

import { minuteTime } from "../core/clock.ts";
import type { PresentAt } from "../core/presence.ts";
import { LeanPresent, Present } from "../api/rooms/present.ts";
import { room_limits } from "../api/limits.ts";

/** Who is shown of those at a room. `suspendedAmong`: the names of which nobody sees anything any more. */
export async function presentIn(
  room: string,
  { names, others }: PresentAt,
  now_ms: number,
  suspendedAmong: (names: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<Present> {
  const since_ms = now_ms - room_limits.present_minutes * 60_000;
  const seen = [...names.values()]
    .filter(({ waiting, seen_ms }) => waiting || seen_ms > since_ms)
    .sort(
      (a, b) => Number(b.waiting) - Number(a.waiting) || b.seen_ms - a.seen_ms || (a.name < b.name ? -1 : 1),
    );
  const first = seen.slice(0, room_limits.present_names_max);
  const suspended = await suspendedAmong(first.map(({ name }) => name));
  const shown = first.filter(({ name }) => !suspended.has(name));
  return {
    room,
    names: shown.map(({ name, waiting, seen_ms }) => ({ name, waiting, last_seen: minuteTime(seen_ms) })),
    ...(seen.length > first.length && { more: seen.length - first.length }),
    others,
  };
}

/** The same for agents; undefined if nobody waits. */
export function leanPresent({ names, others }: Present): LeanPresent | undefined {
  const waiting = names.filter((seen) => seen.waiting).map(({ name }) => name);
  if (waiting.length === 0 && others === 0) return undefined;
  return {
    ...(waiting.length > 0 && { names: waiting.slice(0, room_limits.present_names_lean_max) }),
    ...(others > 0 && { others }),
  };
}
