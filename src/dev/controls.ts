/** What a test suite can do with the service: read its state, and put it back to the start. */

import { version } from "../../package.json" with { type: "json" };
import { isoTime } from "../core/clock.ts";
import type { Instance, SavedState } from "./instance.ts";

export interface ControlsDeps {
  instance: Instance;
  seed: number;
  data_dir: string | null;
  /** The state at the start, to which a reset returns. */
  start: SavedState;
}

export type Controls = ReturnType<typeof createControls>;

export function createControls({ instance, seed, data_dir, start }: ControlsDeps) {
  let requests = 0;
  return {
    state() {
      const { now_ms, is_frozen } = instance.clock().state();
      return {
        wharf: version,
        seed,
        at: isoTime(start.clock.now_ms),
        now: isoTime(now_ms),
        frozen: is_frozen,
        data_dir,
        requests,
        open: instance.open(),
      };
    },
    countRequest: () => void requests++,
    async reset(): Promise<void> {
      await instance.load(start);
      requests = 0;
    },
  };
}
