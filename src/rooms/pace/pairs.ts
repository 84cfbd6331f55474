/**
 * Counts the posts of the same two names over all rooms, so that two agents that answer each other in several rooms by turns, or by
 * opening rooms, are slowed down like two in one room. In memory, of the posts of this process: a restart forgets it. It knows
 * no room that has a pace of its own.
 *
 * The rooms of a pair are those whose run has no other name. A pair that has made `posts` posts there within the window is over the
 * pace, until a third name posts in one of its rooms, a host sets the pace of one, or the pair is silent for the window. Only later
 * posts count after that. A name alone is counted in the same way.
 */

import type { Pace } from "../../api/rooms/pace.ts";
import type { Elsewhere } from "./brake.ts";
import { room_internal_limits } from "../limits.ts";
import { Runs, type Group, type Name, type Run } from "./runs.ts";

export class Pairs {
  readonly #posts: number;
  readonly #window_ms: number;
  /** How many names are counted together: not more than two. */
  readonly #names_max: number;
  readonly #runs: Runs;
  readonly #over = new Set<Group>();
  /** The latest openings, the oldest first. */
  #openings: { name: string; at_ms: number }[] = [];

  constructor(
    { posts, window_seconds, names }: Pace,
    remembered_max: number = room_internal_limits.pair_posts_remembered_max,
  ) {
    const names_max = Math.min(names, 2);
    const window_ms = window_seconds * 1000;
    this.#posts = posts;
    this.#window_ms = window_ms;
    this.#names_max = names_max;
    this.#runs = new Runs({ posts, window_ms, names_max, remembered_max });
  }

  /** Posts and rooms in memory. */
  get size(): number {
    return this.#runs.size;
  }

  /**
   * What counts for a post of `canonical` in `room`, null for an opening, because of other rooms: undefined if it changes nothing,
   * which is usual.
   */
  before(room: string | null, canonical: string, now_ms: number): Elsewhere | undefined {
    const run = room === null ? undefined : this.#runs.at(room, now_ms);
    if (!run) {
      const last_ms = this.#lastOfOver(canonical, now_ms);
      return last_ms === undefined ? undefined : { posts: this.#posts, last_ms, is_new_here: true };
    }
    const [first, second] = run.group.names;
    const is_among = first!.canonical === canonical || second?.canonical === canonical;
    if (!is_among && run.group.names.length === this.#names_max) return undefined;
    if (is_among && !second) return this.#beforeAlone(run, first!, now_ms);
    const other = second ?? this.#runs.known(canonical);
    const pair = other && first!.pairs.get(other);
    if (pair && this.#isOver(pair, now_ms)) return { posts: this.#posts, last_ms: pair.latest_ms };
    return this.#countedWith(run, this.#runs.count([pair, first!.alone, other?.alone], now_ms, run), now_ms);
  }

  /** The same in a room where only `name` has posted: with the partner with whom it has made most. */
  #beforeAlone(run: Run, name: Name, now_ms: number): Elsewhere | undefined {
    const last_ms = this.#lastOfOver(name.canonical, now_ms);
    if (last_ms !== undefined) return { posts: this.#posts, last_ms };
    const alone = this.#runs.count([name.alone], now_ms, run);
    let most = alone;
    for (const pair of this.#runs.pairsOf(name)) {
      most = Math.max(most, this.#runs.countPair(pair, name, alone, now_ms, run));
    }
    return this.#countedWith(run, most, now_ms);
  }

  /** Posts in other rooms, and the opening of this one, if the limit is reached with them by one more post in this one. */
  #countedWith(run: Run, in_others: number, now_ms: number): Elsewhere | undefined {
    const here = this.#runs.timesIn(run, now_ms);
    const is_opening_counted = run.opened_ms !== null && here === run.times.length;
    const posts = in_others + (is_opening_counted ? 1 : 0);
    return posts === 0 || here + in_others + 1 < this.#posts ? undefined : { posts, last_ms: 0 };
  }

  /** Counts a post. An opening counts as one, with a first post or without. */
  posted(room: string, canonical: string, now_ms: number, is_opening = false, has_post = true): void {
    if (this.#over.size > 0) this.#endThoseWithout(room, canonical, now_ms);
    const run = this.#runs.add(room, canonical, now_ms);
    const { group, last: name } = run;
    if (is_opening) this.#opened(name, now_ms);
    if (!has_post) run.opened_ms = now_ms;
    const alone = this.#runs.count([name.alone], now_ms);
    if (group.names.length === 1) {
      if (!this.#isOver(group, now_ms) && alone >= this.#posts) this.#noteOver(group, now_ms);
      for (const pair of this.#runs.pairsOf(name)) this.#judge(pair, name, alone, now_ms);
      for (const over of name.over) over.latest_ms = now_ms;
    } else {
      this.#judge(group, name, alone, now_ms);
      if (group.over) group.latest_ms = now_ms;
    }
    this.#runs.sweep(now_ms);
  }

  /** Counts anew in this room, and for those who are over the pace there: its host has set the pace. */
  restart(room: string, now_ms: number): void {
    const run = this.#runs.at(room, now_ms);
    if (!run) return;
    for (const over of this.#overIn(run, now_ms)) this.#restartGroup(over);
    this.#runs.clear(run);
  }

  /** Forgets a room: it has a pace of its own. */
  leave(room: string, now_ms: number): void {
    this.restart(room, now_ms);
    const run = this.#runs.at(room, now_ms);
    if (run) this.#runs.drop(run);
  }

  /** Those over the pace to whose rooms this one belongs. */
  #overIn({ group }: Run, now_ms: number): Group[] {
    const [first, second] = group.names;
    return [...first!.over].filter(
      (over) => (!second || over.names.includes(second)) && this.#isOver(over, now_ms),
    );
  }

  /** Ends that they are over the pace for whom `canonical` is a third name in one of their rooms. */
  #endThoseWithout(room: string, canonical: string, now_ms: number): void {
    const run = this.#runs.at(room, now_ms);
    if (!run) return;
    for (const over of this.#overIn(run, now_ms)) {
      const is_among = over.names.some((name) => name.canonical === canonical);
      if (!is_among && over.names.length === this.#names_max) this.#restartGroup(over);
    }
  }

  /** Notes whether a pair of `one` is over the pace. `alone`: how many posts `one` has made in rooms without another name. */
  #judge(pair: Group, one: Name, alone: number, now_ms: number): void {
    if (this.#isOver(pair, now_ms)) return;
    if (this.#runs.countPair(pair, one, alone, now_ms) >= this.#posts) this.#noteOver(pair, now_ms);
  }

  #noteOver(group: Group, now_ms: number): void {
    group.over = true;
    group.latest_ms = now_ms;
    this.#over.add(group);
    for (const name of group.names) name.over.add(group);
    if (this.#over.size > room_internal_limits.pairs_over_max)
      this.#endOver(this.#over.values().next().value!);
  }

  /** Two who open rooms by turns need not have posted in the same one. */
  #opened(name: Name, now_ms: number): void {
    const { canonical } = name;
    this.#openings.push({ name: canonical, at_ms: now_ms });
    if (this.#openings.length > 2 * room_internal_limits.openings_counted_max) {
      this.#openings = this.#openings.slice(-room_internal_limits.openings_counted_max);
    }
    const recent = this.#openings.filter(({ at_ms }) => at_ms >= now_ms - this.#window_ms);
    const other = recent.findLast((opening) => opening.name !== canonical)?.name;
    if (other === undefined || this.#names_max === 1) return;
    const theirs = recent.filter((opening) => opening.name === canonical || opening.name === other);
    if (theirs.length < this.#posts) return;
    this.#noteOver(this.#runs.pairOf(name, this.#runs.name(other)), now_ms);
  }

  #isOver(group: Group, now_ms: number): boolean {
    if (group.over && group.latest_ms < now_ms - this.#window_ms) this.#endOver(group);
    return group.over;
  }

  /** The latest post of those over the pace to whom a name belongs; undefined if it belongs to none. */
  #lastOfOver(canonical: string, now_ms: number): number | undefined {
    let last_ms: number | undefined;
    for (const group of this.#runs.known(canonical)?.over ?? []) {
      if (this.#isOver(group, now_ms)) last_ms = Math.max(last_ms ?? 0, group.latest_ms);
    }
    return last_ms;
  }

  #endOver(group: Group): void {
    group.over = false;
    this.#over.delete(group);
    for (const name of group.names) name.over.delete(group);
    this.#runs.release(group);
  }

  /** Counts anew for one name or two. */
  #restartGroup(group: Group): void {
    const { names } = group;
    this.#openings = this.#openings.filter(
      (opening) => !names.some((name) => name.canonical === opening.name),
    );
    for (const { runs } of [...names.map(({ alone }) => alone), group]) {
      for (const run of runs) this.#runs.clear(run);
    }
    this.#endOver(group);
  }
}
