/** The operations of leases, called by every transport. */

import type { Admission } from "../members/admission.ts";
import type { AdmissionRules } from "../members/roles.ts";
import type { ReadableSlug } from "../slug.ts";
import { actionBy, type Admin } from "../../core/admin.ts";
import type { Caller, Identity } from "../../core/caller.ts";
import { shownTime, steadyTime } from "../../core/clock.ts";
import type { OperationDeps } from "../../core/commands.ts";
import { invalidFields, type FieldError } from "../../core/errors.ts";
import type { Log } from "../../core/log.ts";
import type { IdempotentCall, Tx } from "../../core/storage.ts";
import type { Waits, WaitOptions } from "../../core/waits.ts";
import {
  treat_as,
  type CheckedLeases,
  type CheckLeases,
  type LeaseList,
  type ShownLeases,
  type TakeLease,
  type TakenLease,
} from "../../api/leases.ts";
import { lease_limits } from "../../api/limits.ts";
import { byHost, type HostKey } from "../host_rights.ts";
import type { Broken, Taken } from "./commands.ts";
import { createEnds } from "./ends.ts";
import type { LeaseCommands } from "./feature.ts";
import { lease_internal_limits } from "./limits.ts";
import { leastPaths, normalPath } from "./paths.ts";
import { checkSlice, leaseState, listLeases, shownLeases } from "./queries.ts";
import * as store from "./store.ts";
import { leasesTopic } from "./topic.ts";
import { createLine } from "./waiting.ts";

interface LeasesDeps extends OperationDeps<LeaseCommands>, AdmissionRules {
  admission: Pick<Admission, "admit" | "admitHost" | "refuseFormer">;
  waits: Waits;
  log: Pick<Log, "warn">;
  /** The caller's claimed name. Throws if the caller sent no key. */
  identityOf(caller: Caller): Identity;
}

export type Leases = ReturnType<typeof createLeases>;

/** How to take a lease. */
interface TakeRequest extends Omit<TakeLease, "wait_seconds"> {
  room: string;
}

interface TakeOptions extends WaitOptions {
  call?: IdempotentCall | undefined;
}

/** The normal forms of paths. Throws `invalid_fields`. */
function normalPaths(given: readonly string[], at = "/paths"): string[] {
  const faults: FieldError[] = [];
  const paths = given.map((path, i) => {
    const normal = normalPath(path);
    if ("path" in normal) return normal.path;
    faults.push({ path: `${at}/${i}`, message: normal.fault });
    return "";
  });
  if (faults.length > 0) throw invalidFields(faults);
  return paths;
}

export function createLeases(deps: LeasesDeps) {
  const { storage, commands, admission, clock, identityOf } = deps;
  const ends = createEnds(deps);
  const takeInLine = createLine(deps);

  const shown = ({ fence, expires, paths }: Taken): TakenLease => ({
    fence,
    until: shownTime(expires, clock.moment().ahead_ms),
    paths,
  });

  /** Commands on a lease that is held. */
  const held = (caller: Caller, room: string, fence: number) => {
    const identity = identityOf(caller);
    return { ...clock.moment(), room, identity, fence };
  };

  return {
    /** Cancels what is planned for the ends of leases. */
    close: ends.close,
    /** Settles what has ended while the service was stopped. */
    settle: ends.settle,

    /** The topic that is published when a lease of this room changes. */
    topic: leasesTopic,

    /** The leases of a room, given by its seq, for those who read it; undefined if there are none. */
    shownIn: (tx: Tx, room: number): Promise<ShownLeases | undefined> =>
      shownLeases(tx, room, clock.moment()),

    /** When a lease of a room, given by its seq, changed last; null if there has been none. */
    changedIn: (tx: Tx, room: number): Promise<string | null> => store.changedIn(tx, room),

    /** What a room shows of its leases, and when one changed last: when it was opened if there has been none. */
    state: (room: ReadableSlug) => storage.read((tx) => leaseState(tx, room, clock.moment())),

    /**
     * Takes all paths or none. With `wait_seconds`, waits in line for those that are held. Throws `lease_held`, `too_many_leases`, and
     * what `identityOf` and the room throw.
     */
    async take(
      caller: Caller,
      { room, purpose, ttl_seconds, ...request }: TakeRequest,
      { call, ...wait }: TakeOptions = {},
    ): Promise<TakenLease> {
      const identity = identityOf(caller);
      await admission.admit(caller, room);
      const paths = leastPaths(normalPaths(request.paths));
      const take = async () => {
        const input = {
          ...clock.moment(),
          room,
          identity,
          paths,
          ttl_seconds,
          purpose: purpose?.trim() || null,
        };
        return (await commands.run(caller, "leases.take", identity.name, input, call)).result;
      };
      const taken = wait.wait_seconds
        ? await takeInLine({ caller, identity, room, paths, take }, wait)
        : await take();
      return shown(taken);
    },

    /** Lets a lease end `ttl_seconds` from now. Throws `lease_lost`. */
    async extend(
      caller: Caller,
      { room, fence, ttl_seconds }: { room: string; fence: number; ttl_seconds: number },
      call?: IdempotentCall,
    ): Promise<TakenLease> {
      const input = { ...held(caller, room, fence), ttl_seconds };
      await admission.admit(caller, room);
      const { result } = await commands.run(caller, "leases.extend", input.identity.name, input, call);
      return shown(result);
    },

    /** Gives paths of a lease back, or all of it. Throws `lease_lost`. */
    async release(
      caller: Caller,
      { room, fence, paths }: { room: string; fence: number; paths?: string[] | undefined },
      call?: IdempotentCall,
    ) {
      const input = {
        ...held(caller, room, fence),
        paths: paths === undefined ? null : leastPaths(normalPaths(paths)),
      };
      await admission.admit(caller, room);
      return (await commands.run(caller, "leases.release", input.identity.name, input, call)).result;
    },

    /** Ends the leases on these paths, for the host of the room. Each holder finds a note. */
    async break(
      caller: Caller,
      request: { room: string; host_key: HostKey; paths: string[] },
      call?: IdempotentCall,
    ): Promise<{ broken: Broken[] }> {
      const { room, host_key } = request;
      await admission.admitHost(caller, room, host_key);
      const at = clock.moment();
      const paths = leastPaths(normalPaths(request.paths));
      const input = { ...at, room, by: byHost(caller, host_key), paths };
      return (await commands.run(caller, "leases.break", null, input, call)).result;
    },

    /** The same for an admin. Returns the leases that have ended. Throws `room_not_found`, `room_deleted` and `invalid_fields`. */
    async breakAsAdmin(
      admin: Admin,
      { room, paths, reason }: { room: string; paths: string[]; reason: string },
    ): Promise<{ broken: Broken[] }> {
      const input = { ...clock.moment(), ...actionBy(admin, reason, clock), room };
      const normal = leastPaths(normalPaths(paths));
      return (await storage.write("leases.break_as_admin", { ...input, paths: normal })).result;
    },

    /** A page of the leases of a room. Throws `room_not_found`, `room_deleted` and `invalid_fields`. */
    async list(
      caller: Caller,
      {
        room,
        prefix,
        limit = lease_limits.leases_page_default,
        cursor,
      }: {
        room: string;
        prefix?: string | undefined;
        limit?: number | undefined;
        cursor?: string | undefined;
      },
    ): Promise<LeaseList> {
      const [path] = prefix?.trim() ? normalPaths([prefix], "prefix") : [];
      const admitted = await admission.admit(caller, room);
      const query = {
        ...clock.moment(),
        room: admitted,
        prefix: path,
        limit,
        cursor,
        own: caller.identity?.canonical,
      };
      return { ...(await storage.read((tx) => listLeases(tx, query))), treat_as };
    },

    /** What is held of these paths, and by whom. Throws `room_not_found`, `room_deleted` and `invalid_fields`. */
    async check(
      caller: Caller,
      { room: slug, ...sent }: CheckLeases & { room: string },
    ): Promise<CheckedLeases> {
      const room = await admission.admit(caller, slug);
      const paths = normalPaths(sent.paths);
      const claims = Object.entries(sent.fences ?? {});
      const claimed = normalPaths(
        claims.map(([path]) => path),
        "/fences",
      );
      const fences = new Map(claims.map(([, fence], i) => [claimed[i]!, fence]));
      const all = [...new Set([...paths, ...claimed])];
      const checked: CheckedLeases = { held: [], stale: [], treat_as };
      const { paths_per_slice } = lease_internal_limits;
      for (let from = 0; from < all.length; from += paths_per_slice) {
        if (from > 0) await clock.turn();
        const query = { ...clock.moment(), room, fences, own: caller.identity?.canonical };
        const slice = all.slice(from, from + paths_per_slice);
        const found = await storage.read((tx) => checkSlice(tx, { ...query, paths: slice }));
        checked.held.push(...found.held);
        checked.stale.push(...found.stale);
      }
      await admission.refuseFormer(caller, slug);
      return checked;
    },

    /** The next leases of a name in all rooms, for its export: with the slugs of the rooms. */
    ofName: (name: string, after: { room: number; fence: number }, limit: number) =>
      storage.read(async (tx) => {
        const at = clock.moment();
        const rows = await store.leasesOf(tx, name, after, steadyTime(at), limit);
        return Promise.all(
          rows.map(async (row) => ({ row, paths: await store.pathsOf(tx, row.room, row.fence), ...at })),
        );
      }),
  };
}
