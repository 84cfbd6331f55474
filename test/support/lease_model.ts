/** Leases and places in line as plain objects: the expected answer of each command, and what must hold after it. */

import type { ErrorCode } from "../../src/app/error_catalog.ts";
import { lease_limits } from "../../src/api/limits.ts";

export const place_ms = lease_limits.place_seconds * 1_000;
const ended_per_command = 50;

export interface ModelLease {
  fence: number;
  holder: string;
  paths: string[];
  /** Steady time. */
  ends_ms: number;
}

export interface ModelPlace {
  place: number;
  name: string;
  paths: string[];
  ends_ms: number;
}

export interface ModelRoom {
  slug: string;
  is_closed: boolean;
  fence: number;
  place: number;
  /** With what has ended and was not removed yet. */
  leases: ModelLease[];
  places: ModelPlace[];
}

/** What is in the way of a lease, as its refusal says. */
export interface Held {
  /** When it may be free: the latest end of a lease of somebody else, else of an own one, else of a place. */
  ends_ms: number;
  is_own: boolean;
  in_line: boolean;
}

/** A command's answer that is a refusal. */
export class Refused {
  constructor(
    readonly code: ErrorCode,
    readonly held?: Held,
  ) {}
}

/** Whether one path covers the other. */
export const conflict = (a: string, b: string): boolean =>
  `${a}/`.startsWith(`${b}/`) || `${b}/`.startsWith(`${a}/`);
export const conflicting = (some: readonly string[], others: readonly string[]): boolean =>
  some.some((a) => others.some((b) => conflict(a, b)));

const latest = (ends: { ends_ms: number }[]): number => Math.max(...ends.map(({ ends_ms }) => ends_ms));

/** All times are steady, and may be a little earlier than those of commands before: nodes have clocks of their own. */
export class LeaseModel {
  readonly rooms: ModelRoom[] = [];
  readonly suspended = new Set<string>();

  open(slug: string): ModelRoom {
    const room: ModelRoom = { slug, is_closed: false, fence: 0, place: 0, leases: [], places: [] };
    this.rooms.push(room);
    return room;
  }

  /** Those in which something still changes. */
  #latest = (): ModelRoom[] => this.rooms.slice(-5);

  placeOf = ({ places }: ModelRoom, who: string, paths: string[], now: number): ModelPlace | undefined =>
    places.find((one) => one.name === who && one.ends_ms > now && String(one.paths) === String(paths));

  #heldBy(room: ModelRoom, who: string, paths: string[], now: number): Held | null {
    const leases = room.leases.filter((lease) => lease.ends_ms > now && conflicting(lease.paths, paths));
    const others = leases.filter(({ holder }) => holder !== who);
    if (others.length > 0) return { ends_ms: latest(others), is_own: false, in_line: false };
    if (leases.length > 0) return { ends_ms: latest(leases), is_own: true, in_line: false };
    const before = this.placeOf(room, who, paths, now)?.place ?? Infinity;
    const places = room.places.filter(
      (one) => one.name !== who && one.place < before && one.ends_ms > now && conflicting(one.paths, paths),
    );
    return places.length > 0 ? { ends_ms: latest(places), is_own: false, in_line: true } : null;
  }

  #refusal(who: string, room?: ModelRoom): Refused | null {
    if (this.suspended.has(who)) return new Refused("name_suspended");
    return room?.is_closed ? new Refused("room_closed") : null;
  }

  take(room: ModelRoom, who: string, paths: string[], ends_ms: number, now: number): Refused | ModelLease {
    const refusal = this.#refusal(who, room);
    if (refusal) return refusal;
    const held = this.#heldBy(room, who, paths, now);
    if (held) return new Refused("lease_held", held);
    this.#expectTurn(room, who, paths, now);
    room.leases = room.leases.filter((lease) => !conflicting(lease.paths, paths));
    const lease = { fence: ++room.fence, holder: who, paths, ends_ms };
    room.leases.push(lease);
    room.places = room.places.filter((one) => one.name !== who || String(one.paths) !== String(paths));
    return lease;
  }

  /** Throws if somebody gets paths for which somebody else was in line first. */
  #expectTurn(room: ModelRoom, who: string, paths: string[], now: number): void {
    const own = this.placeOf(room, who, paths, now)?.place ?? Infinity;
    for (const one of room.places) {
      const is_first = one.place < own && one.ends_ms > now && one.name !== who;
      if (is_first && conflicting(one.paths, paths)) throw new Error(`${who} was before ${one.name}`);
    }
  }

  getInLine(
    room: ModelRoom,
    who: string,
    paths: string[],
    ends_ms: number,
    now: number,
  ): Refused | { place: number } {
    const refusal = this.#refusal(who, room);
    if (refusal) return refusal;
    const found = this.placeOf(room, who, paths, now);
    if (found) {
      found.ends_ms = Math.max(found.ends_ms, ends_ms);
      return { place: found.place };
    }
    const count = room.places.filter((one) => one.name === who && one.ends_ms > now).length;
    if (count >= lease_limits.places_per_name_and_room) return new Refused("too_many_leases");
    room.places = room.places.filter((one) => one.name !== who || String(one.paths) !== String(paths));
    const place = { place: ++room.place, name: who, paths, ends_ms };
    room.places.push(place);
    return { place: place.place };
  }

  leaveLine(room: ModelRoom, who: string, paths: string[], ends_ms: number, now: number): void {
    const found = this.placeOf(room, who, paths, now);
    if (found) found.ends_ms = Math.min(found.ends_ms, ends_ms);
  }

  #held({ leases }: ModelRoom, who: string, fence: number, now: number): ModelLease | undefined {
    return leases.find((one) => one.fence === fence && one.holder === who && one.ends_ms > now);
  }

  extend(room: ModelRoom, who: string, fence: number, ends_ms: number, now: number): Refused | ModelLease {
    const refusal = this.#refusal(who, room);
    if (refusal) return refusal;
    const lease = this.#held(room, who, fence, now);
    if (!lease) return new Refused("lease_lost");
    lease.ends_ms = Math.max(lease.ends_ms, ends_ms);
    return lease;
  }

  release(
    room: ModelRoom,
    who: string,
    fence: number,
    paths: string[] | null,
    now: number,
  ): Refused | { fence: number; released: string[]; paths: string[] } {
    const refusal = this.#refusal(who);
    if (refusal) return refusal;
    const lease = this.#held(room, who, fence, now);
    const released = paths ?? lease?.paths ?? [];
    if (!lease || !released.every((path) => lease.paths.includes(path))) return new Refused("lease_lost");
    lease.paths = lease.paths.filter((path) => !released.includes(path));
    if (lease.paths.length === 0) room.leases.splice(room.leases.indexOf(lease), 1);
    return { fence, released, paths: lease.paths };
  }

  break(room: ModelRoom, paths: string[], now: number): ModelLease[] {
    const broken = room.leases.filter((lease) => lease.ends_ms > now && conflicting(lease.paths, paths));
    room.leases = room.leases.filter((lease) => !broken.includes(lease));
    return broken;
  }

  settle(room: ModelRoom, now: number): { more: boolean } {
    const first = (ended: { ends_ms: number }[]) =>
      ended
        .filter(({ ends_ms }) => ends_ms <= now)
        .toSorted((a, b) => a.ends_ms - b.ends_ms)
        .slice(0, ended_per_command);
    const leases = new Set<object>(first(room.leases));
    const places = new Set<object>(first(room.places));
    room.leases = room.leases.filter((one) => !leases.has(one));
    room.places = room.places.filter((one) => !places.has(one));
    return { more: leases.size === ended_per_command || places.size === ended_per_command };
  }

  suspend(who: string): void {
    if (this.suspended.has(who)) return;
    this.suspended.add(who);
    for (const room of this.#latest()) {
      room.leases = room.leases.filter(({ holder }) => holder !== who);
      room.places = room.places.filter(({ name }) => name !== who);
    }
  }

  /** Of `paths`, those on which somebody has a lease; `yours`: whether nobody else has one. */
  check(room: ModelRoom, who: string, paths: string[], fences: ReadonlyMap<string, number>, now: number) {
    const in_force = room.leases.filter(({ ends_ms }) => ends_ms > now);
    const held = paths.flatMap((path) => {
      const on = in_force.filter((lease) => conflicting(lease.paths, [path]));
      if (on.length === 0) return [];
      const yours = on.every(({ holder, fence }) => holder === who || fences.get(path) === fence);
      return { path, yours };
    });
    const covers = (path: string, lease: ModelLease) =>
      lease.paths.some((one) => `${path}/`.startsWith(`${one}/`));
    const stale = paths.filter(
      (path) =>
        fences.has(path) && !in_force.some((one) => one.fence === fences.get(path) && covers(path, one)),
    );
    return { held, stale };
  }

  /** Throws if two leases that are stored in a room conflict, or a number comes twice or out of order. */
  expectSound(): void {
    for (const { leases, fence, slug } of this.#latest()) {
      for (const [i, lease] of leases.entries()) {
        const is_in_order = lease.fence <= fence && (i === 0 || leases[i - 1]!.fence < lease.fence);
        if (!is_in_order) throw new Error(`the numbers in ${slug} do not rise`);
        const other = leases.slice(0, i).find((one) => conflicting(one.paths, lease.paths));
        if (other) throw new Error(`two hold the same in ${slug}: ${Bun.inspect([other, lease])}`);
      }
    }
  }
}
