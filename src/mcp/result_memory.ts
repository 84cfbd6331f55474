/** The memory of large results. The answer may be a stream that was returned before the call was made, so the call frees it itself. */

import type { Method } from "./types.ts";

/** `method`, whose calls free what they have reserved when they end. */
export const freeingMemory = (method: Method): Method => ({
  ...method,
  async run(params, place, signal, notify) {
    const held: (() => void)[] = [];
    const reserve = async (bytes: number) => {
      const free = await place.reserve(bytes);
      held.push(free);
      return free;
    };
    try {
      return await method.run(params, { ...place, reserve }, signal, notify);
    } finally {
      for (const free of held) free();
    }
  },
});
