/** Which webhook is called next. Hosts take turns, and receivers that failed or took long do not delay the others. */

import { webhook_internal_limits } from "./limits.ts";

const {
  all_calls_at_once_max,
  all_calls_per_host_max,
  calls_at_once_max,
  calls_per_host_max,
  slow_calls_per_host_max,
  slow_first_every,
} = webhook_internal_limits;

type Lane = keyof typeof calls_at_once_max;

/** A webhook in the queue. */
export interface Waiting {
  owner: string;
  /** The host of its URL. */
  host: string;
  /** Whether its receiver failed or took long at its last call. */
  is_slow: boolean;
}

/** How many calls of a lane to a host take places. Calls that became late are more than may begin: these take none, so that others begin. */
const countedOf = (at_host: Record<Lane, number>, lane: Lane): number =>
  lane === "slow" ? Math.min(at_host.slow, slow_calls_per_host_max) : at_host.quick;

const laneOf = ({ is_slow }: Waiting): Lane => (is_slow ? "slow" : "quick");

export class CallQueue {
  /** By lane and host, those that wait, in order of arrival. The host whose turn it is comes first. */
  readonly #waiting = { quick: new Map<string, Waiting[]>(), slow: new Map<string, Waiting[]>() };
  readonly #queued = new Map<string, Waiting>();
  /** The lanes in which calls are under way. */
  readonly #under_way = new Map<Waiting, Lane>();
  /** How many of them take places. */
  readonly #at_once = { quick: 0, slow: 0 };
  #starts = 1;
  /** The numbers of calls under way, by host. */
  readonly #at_host = new Map<string, Record<Lane, number>>();

  /** Adds a webhook, unless it waits already. */
  add(one: Waiting): void {
    if (this.#queued.has(one.owner)) return;
    this.#queued.set(one.owner, one);
    const of_lane = this.#waiting[laneOf(one)];
    const of_host = of_lane.get(one.host);
    if (of_host) of_host.push(one);
    else of_lane.set(one.host, [one]);
  }

  /** Takes a webhook out, if it waits. */
  remove(owner: string): void {
    const one = this.#queued.get(owner);
    if (!one) return;
    this.#queued.delete(owner);
    const of_lane = this.#waiting[laneOf(one)];
    const left = of_lane.get(one.host)!.filter((other) => other !== one);
    if (left.length > 0) of_lane.set(one.host, left);
    else of_lane.delete(one.host);
  }

  /** Takes the next one out, if one may be called now. Call `done` with it when its call has ended. */
  next(): Waiting | undefined {
    if (this.#under_way.size >= all_calls_at_once_max) return undefined;
    const [first, then]: Lane[] =
      this.#starts % slow_first_every === 0 ? ["slow", "quick"] : ["quick", "slow"];
    const one = this.#nextOf(first!) ?? this.#nextOf(then!);
    if (one) this.#starts++;
    return one;
  }

  #nextOf(lane: Lane): Waiting | undefined {
    if (this.#at_once[lane] >= calls_at_once_max[lane]) return undefined;
    const of_lane = this.#waiting[lane];
    for (const [host, of_host] of of_lane) {
      if (!this.#hasPlace(host, lane)) continue;
      // An object of its own: the next call of a webhook may begin before one that was cut has ended.
      const one = { ...of_host.shift()! };
      of_lane.delete(host);
      if (of_host.length > 0) of_lane.set(host, of_host);
      this.#queued.delete(one.owner);
      this.#count(one, lane, 1);
      return one;
    }
    return undefined;
  }

  #hasPlace(host: string, lane: Lane): boolean {
    const at_host = this.#at_host.get(host) ?? { quick: 0, slow: 0 };
    const { quick, slow } = at_host;
    if (lane === "slow" && slow >= slow_calls_per_host_max) return false;
    const places = quick + countedOf(at_host, "slow");
    return places < calls_per_host_max && quick + slow < all_calls_per_host_max;
  }

  /** Counts a call that begins (1) or ends (-1) in a lane. */
  #count(one: Waiting, lane: Lane, change: 1 | -1): void {
    if (change === 1) this.#under_way.set(one, lane);
    else this.#under_way.delete(one);
    const at_host = this.#at_host.get(one.host) ?? { quick: 0, slow: 0 };
    const counted = countedOf(at_host, lane);
    at_host[lane] += change;
    this.#at_once[lane] += countedOf(at_host, lane) - counted;
    if (at_host.quick + at_host.slow > 0) this.#at_host.set(one.host, at_host);
    else this.#at_host.delete(one.host);
  }

  /** A call takes long: it makes place for quick ones. */
  late(one: Waiting): void {
    this.done(one);
    this.#count(one, "slow", 1);
  }

  done(one: Waiting): void {
    this.#count(one, this.#under_way.get(one)!, -1);
  }

  /** Forgets those that wait. */
  clear(): void {
    this.#waiting.quick.clear();
    this.#waiting.slow.clear();
    this.#queued.clear();
  }
}
