/** Waiting in line for paths that are not free. */

import type { AdmissionRules } from "../members/roles.ts";
import type { Caller, Identity } from "../../core/caller.ts";
import { isoTime, shownTime } from "../../core/clock.ts";
import type { OperationDeps } from "../../core/commands.ts";
import { isFailure, unlessRefused, type ServiceError } from "../../core/errors.ts";
import type { Waits, WaitOptions } from "../../core/waits.ts";
import { lease_limits } from "../../api/limits.ts";
import { openRoom, type Taken } from "./commands.ts";
import { lease_errors } from "./errors.ts";
import type { LeaseCommands } from "./feature.ts";
import { heldError, obstaclesFor, withPlace } from "./obstacles.ts";
import { pathsDigest } from "./paths.ts";
import { leasesTopic } from "./topic.ts";

interface LineDeps
  extends Pick<OperationDeps<LeaseCommands>, "storage" | "commands" | "clock">, AdmissionRules {
  waits: Waits;
}

/** What a call waits for. */
interface Waiting {
  caller: Caller;
  identity: Identity;
  room: string;
  /** As `leastPaths` returns them. */
  paths: string[];
  /** Throws `lease_held` if they are not free. */
  take(): Promise<Taken>;
}

/** What is in the way. */
type Look = Awaited<ReturnType<typeof obstaclesFor>>;

/** The place in line of a call: of its name, for its paths. */
const placeOf = ({ room, identity, paths }: Waiting): string =>
  `${room} ${identity.canonical} ${pathsDigest(paths)}`;

/** Runs `take`. Returns the refusal if the paths are held. */
async function unlessHeld(take: () => Promise<Taken>): Promise<{ taken: Taken } | { refusal: ServiceError }> {
  try {
    return { taken: await take() };
  } catch (error) {
    if (isFailure(error, lease_errors.lease_held)) return { refusal: error };
    throw error;
  }
}

export function createLine({ storage, commands, clock, waits, claimedSince }: LineDeps) {
  /** The number of calls at this node that wait in the same place. */
  const waiting = new Map<string, number>();
  /** The looks that have not begun, by place: one for all calls in it, which a change wakes together. */
  const looks = new Map<string, Promise<Look>>();

  /** Looks what is in the way of a call. */
  function look(place: string, { room, identity, paths }: Waiting): Promise<Look> {
    const known = looks.get(place);
    if (known) return known;
    const next = storage.read(async (tx) => {
      looks.delete(place);
      const { seq } = await openRoom(tx, { claimedSince }, { room, identity });
      return obstaclesFor(tx, seq, { ...clock.moment(), paths, identity });
    });
    looks.set(place, next);
    // The storage may refuse it before it begins.
    return next.finally(() => looks.get(place) === next && looks.delete(place));
  }

  const placeUntil = (seconds: number): string =>
    isoTime(clock.steady() + (seconds + lease_limits.place_seconds) * 1000);

  /** Lets a place end soon. Returns when it ends. */
  async function leave({ room, identity, paths }: Waiting): Promise<string> {
    const place_until = placeUntil(0);
    const leaving = { ...clock.moment(), room, name: identity.canonical, paths, place_until };
    await unlessRefused(storage.write("leases.leave_line", leaving));
    return place_until;
  }

  /** Takes the paths when they are free and the caller's turn has come. Returns why they are not at the end of the wait. */
  async function wait(
    place: string,
    wanted: Waiting,
    { wait_seconds = 0, open }: WaitOptions,
    refusal: ServiceError,
  ): Promise<{ taken: Taken } | { refusal: ServiceError }> {
    const { caller, identity, room, paths, take } = wanted;
    const place_until = placeUntil(wait_seconds);
    const getInLine = () => {
      const input = { ...clock.moment(), room, identity, paths, place_until };
      return commands.run(caller, "leases.get_in_line", identity.name, input);
    };
    // Watch before looking: a change between the two would go unnoticed.
    const watch = waits.watch([leasesTopic(room)], wait_seconds * 1000, open);
    try {
      await getInLine();
      for (let is_over = false; ;) {
        const { obstacles, has_place } = await look(place, wanted);
        if (obstacles.length > 0) refusal = heldError(obstacles, { identity, ...clock.moment() });
        // Nobody would learn the number of a lease that is taken for a caller who has left.
        else if (!open?.signal.aborted) {
          const outcome = await unlessHeld(take);
          if ("taken" in outcome) return outcome;
          // Another call came first: its change wakes this one.
          ({ refusal } = outcome);
        }
        if (is_over) return { refusal };
        // A call at another node that waited in the same place has left it, or it was ended with a lease for the same paths.
        if (!has_place) await getInLine();
        is_over = (await watch.next()).length === 0;
        if (is_over && open && watch.isOver()) open.timed_out = true;
      }
    } finally {
      watch.cancel();
    }
  }

  /**
   * Takes paths at once if they are free, or else waits in line for them. Throws `lease_held` when the time is up or the caller has
   * left: its name keeps the place for a while.
   */
  return async function takeInLine(wanted: Waiting, options: WaitOptions): Promise<Taken> {
    const outcome = await unlessHeld(wanted.take);
    if ("taken" in outcome) return outcome.taken;
    const place = placeOf(wanted);
    const others = () => waiting.get(place) ?? 0;
    waiting.set(place, others() + 1);
    let taken: Taken | undefined;
    let refusal: ServiceError;
    let place_until = placeUntil(0);
    try {
      const ended = await wait(place, wanted, options, outcome.refusal);
      if ("taken" in ended) return (taken = ended.taken);
      ({ refusal } = ended);
    } finally {
      if (others() > 1) waiting.set(place, others() - 1);
      else waiting.delete(place);
      // Also after an error, or others would wait for this place until the wait would have ended.
      if (!taken && others() === 0) place_until = await leave(wanted);
    }
    throw withPlace(refusal, shownTime(place_until, clock.moment().ahead_ms));
  };
}
