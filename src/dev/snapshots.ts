/** Named states of the service, in memory: its data, the time, and the position of its random numbers. */

import { isoTime } from "../core/clock.ts";
import { invalidFields, ServiceError } from "../core/errors.ts";
import { dev_errors } from "./errors.ts";
import type { Instance, SavedState } from "./instance.ts";
import { dev_limits } from "./limits.ts";

interface Snapshot {
  name: string;
  /** The time of the service's clock in it. */
  at: string;
  /** The size of its database. */
  bytes: number;
}

export type Snapshots = ReturnType<typeof createSnapshots>;

const name_form = /^[a-z0-9_-]{1,64}$/;

export function createSnapshots(instance: Instance) {
  const states = new Map<string, SavedState>();

  const shown = (name: string, { image, clock }: SavedState): Snapshot => ({
    name,
    at: isoTime(clock.now_ms),
    bytes: image?.length ?? 0,
  });

  /** Throws `snapshot_not_found`. */
  function stateOf(name: string): SavedState {
    const state = states.get(name);
    if (state) return state;
    throw new ServiceError(dev_errors.snapshot_not_found, "No snapshot has this name.", {
      hint: 'GET /_dev/snapshots lists them; POST /_dev/snapshots {"name": "…"} makes one.',
    });
  }

  return {
    list: (): Snapshot[] => Array.from(states, ([name, state]) => shown(name, state)),

    /** Makes a snapshot, or replaces the one of this name. Throws `invalid_fields` and `too_many_snapshots`. */
    async create(name: string): Promise<Snapshot> {
      if (!name_form.test(name)) {
        throw invalidFields([{ path: "/name", message: "must be 1 to 64 of a-z, 0-9, _ and -" }]);
      }
      if (states.size >= dev_limits.snapshots_max && !states.has(name)) {
        throw new ServiceError(
          dev_errors.too_many_snapshots,
          `There are ${dev_limits.snapshots_max} snapshots.`,
          {
            hint: "DELETE /_dev/snapshots/{name} makes room.",
          },
        );
      }
      const state = await instance.save();
      states.set(name, state);
      return shown(name, state);
    },

    /** Returns to a snapshot. Ends all streams and waits. Throws `snapshot_not_found`. */
    restore: (name: string): Promise<void> => instance.load(stateOf(name)),

    /** Throws `snapshot_not_found`. */
    delete(name: string): { deleted: string } {
      stateOf(name);
      states.delete(name);
      return { deleted: name };
    },
  };
}
