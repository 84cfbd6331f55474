/** The memory of large results. The answer may be a stream that was returned before the call was made, so the call frees it itself. */

import type { Place } from "./types.ts";

/** Runs a call with a `reserve` like that of `place`. What it has reserved is free when it ends. */
export async function withMemory<Result>(
  place: Pick<Place, "reserve">,
  run: (reserve: Place["reserve"]) => Promise<Result>,
): Promise<Result> {
  const held: (() => void)[] = [];
  const reserve = async (bytes: number) => {
    const free = await place.reserve(bytes);
    held.push(free);
    return free;
  };
  try {
    return await run(reserve);
  } finally {
    for (const free of held) free();
  }
}
