/** Faults that a test suite asks for: answers with an error, delays, connections that are cut. */

import { systemClock } from "../core/clock.ts";
import { invalidFields, ServiceError } from "../core/errors.ts";
import { dev_errors } from "./errors.ts";
import { dev_limits } from "./limits.ts";
import type { Call, RoutePattern, RouteTable } from "./route_table.ts";
import type { NewFault } from "./schema.ts";

export interface Fault extends NewFault {
  id: string;
  times: number;
  /** How often it has happened. */
  happened: number;
}

export type Faults = ReturnType<typeof createFaults>;

export function createFaults(routes: RouteTable) {
  const faults = new Map<string, { fault: Fault; isMeant: RoutePattern }>();
  /** Ends the delays that are under way. */
  const interrupts = new Set<() => void>();
  let added = 0;

  return {
    list: (): Fault[] => Array.from(faults.values(), ({ fault }) => fault),

    /** Throws `invalid_fields` and `too_many_faults`. */
    add(wanted: NewFault): Fault {
      checkKind(wanted);
      const isMeant = routes.pattern(wanted.route, "/route");
      if (faults.size >= dev_limits.faults_max) {
        throw new ServiceError(dev_errors.too_many_faults, `There are ${dev_limits.faults_max} faults.`, {
          hint: "DELETE /_dev/faults deletes all of them.",
        });
      }
      const when = wanted.drop && { when: wanted.when ?? "after" };
      const fault = { id: `fault-${++added}`, ...wanted, ...when, times: wanted.times ?? 1, happened: 0 };
      faults.set(fault.id, { fault, isMeant });
      return fault;
    },

    /** Throws `fault_not_found`. */
    delete(id: string): { deleted: string } {
      if (faults.delete(id)) return { deleted: id };
      throw new ServiceError(dev_errors.fault_not_found, "No fault has this id.", {
        hint: "GET /_dev/faults lists those that can still happen.",
      });
    },

    /** Deletes all faults. Returns how many there were. */
    clear(): number {
      const { size } = faults;
      faults.clear();
      return size;
    },

    /** Deletes all faults, and ends the delays that are under way. */
    reset(): void {
      faults.clear();
      added = 0;
      for (const interrupt of interrupts) interrupt();
    },

    /** The first fault for a call, which happens now; undefined if there is none. */
    next(call: Call): Fault | undefined {
      for (const { fault, isMeant } of faults.values()) {
        if (!isMeant(call)) continue;
        fault.happened++;
        if (fault.happened === fault.times) faults.delete(fault.id);
        return fault;
      }
      return undefined;
    },

    /** Resolves after real milliseconds to true; to false as soon as a reset interrupts it. */
    delay(delay_ms: number): Promise<boolean> {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const interrupt = () => resolve(false);
      interrupts.add(interrupt);
      const cancel = systemClock.after(delay_ms, () => resolve(true));
      return promise.finally(() => {
        interrupts.delete(interrupt);
        cancel();
      });
    },
  };
}

/** Throws `invalid_fields` unless a fault is of one kind, with the members of this kind. */
function checkKind({ status, delay_ms, drop, when, retry_after_seconds }: NewFault): void {
  const refuse = (path: string, message: string) => {
    throw invalidFields([{ path, message }]);
  };
  if (drop === false) refuse("/drop", "must be true");
  if ([status, delay_ms, drop].filter((kind) => kind !== undefined).length !== 1) {
    refuse("", "must have one of status, delay_ms and drop");
  }
  if (when !== undefined && !drop) refuse("/when", "belongs to drop");
  if (retry_after_seconds !== undefined && status === undefined) {
    refuse("/retry_after_seconds", "belongs to status");
  }
}
