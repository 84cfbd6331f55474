/**
 * The runs of rooms, in memory: of each room its latest posts, as far back as there are at most two names among them. They are found
 * by the names that made them, whose posts in all rooms can so be counted.
 */

import { room_internal_limits } from "../limits.ts";

/** One name or two, and the runs whose posts they have made. */
export interface Group {
  names: readonly Name[];
  runs: Set<Run>;
  /** Whether they are over the pace, and then the time of their latest post. */
  over: boolean;
  latest_ms: number;
}

export interface Name {
  canonical: string;
  alone: Group;
  pairs: Map<Name, Group>;
  /** Those over the pace to whom it belongs. */
  over: Set<Group>;
}

export interface Run {
  room: string;
  group: Group;
  /** Times of its posts in the window, at most as many as are counted. */
  times: number[];
  /** The name of the latest post, and how many of the latest posts it made. */
  last: Name;
  last_posts: number;
  latest_ms: number;
  /** The time of its opening, if that is the first of `times` and was no post. */
  opened_ms: number | null;
}

interface RunsOptions {
  /** How far a count goes. */
  posts: number;
  window_ms: number;
  /** One or two: how many names a run has at most. */
  names_max: number;
  /** How many posts and rooms are in memory at most. */
  remembered_max: number;
}

/** Posts and rooms from which on those are dropped that are out of the window. */
const swept_from = 1_000;

const newGroup = (...names: Name[]): Group => ({ names, runs: new Set(), over: false, latest_ms: 0 });

export class Runs {
  readonly #options: RunsOptions;
  readonly #runs = new Map<string, Run>();
  readonly #names = new Map<string, Name>();
  #sweep_at: number;
  /** Posts and rooms in memory. */
  size = 0;

  constructor(options: RunsOptions) {
    this.#options = options;
    this.#sweep_at = Math.min(swept_from, options.remembered_max);
  }

  /** The run of a room; undefined if nobody has posted there within the window. */
  at(room: string, now_ms: number): Run | undefined {
    const run = this.#runs.get(room);
    if (!run || !this.#isSilent(run, now_ms)) return run;
    this.drop(run);
    return undefined;
  }

  #isSilent({ latest_ms }: Run, now_ms: number): boolean {
    return latest_ms < now_ms - this.#options.window_ms;
  }

  /** A name that is known because it has posted lately. */
  known(canonical: string): Name | undefined {
    return this.#names.get(canonical);
  }

  /** The same; if it is not known, it is from now on. */
  name(canonical: string): Name {
    let name = this.#names.get(canonical);
    if (!name) {
      name = { canonical, alone: undefined as never, pairs: new Map(), over: new Set() };
      name.alone = newGroup(name);
      this.#names.set(canonical, name);
    }
    return name;
  }

  pairOf(one: Name, other: Name): Group {
    let pair = one.pairs.get(other);
    if (!pair) {
      pair = newGroup(one, other);
      one.pairs.set(other, pair);
      other.pairs.set(one, pair);
    }
    return pair;
  }

  /** The pairs of a name with those whom it has met in a room, as far as they are counted. */
  *pairsOf({ pairs }: Name): Iterable<Group> {
    let counted = 0;
    for (const pair of pairs.values()) {
      if (counted++ === room_internal_limits.pairs_counted_max) return;
      yield pair;
    }
  }

  /** Adds a post to the run of its room, and returns the run. */
  add(room: string, canonical: string, now_ms: number): Run {
    let run = this.at(room, now_ms);
    const name = this.name(canonical);
    if (!run) {
      run = { room, group: name.alone, times: [], last: name, last_posts: 0, latest_ms: 0, opened_ms: null };
      this.#runs.set(room, run);
      name.alone.runs.add(run);
      this.size++;
    } else if (!run.group.names.includes(name)) this.#join(run, name);
    run.last_posts = run.last === name ? run.last_posts + 1 : 1;
    run.last = name;
    run.latest_ms = now_ms;
    run.times.push(now_ms);
    this.size++;
    this.#keepLatest(run, Math.min(this.timesIn(run, now_ms), this.#options.posts));
    return run;
  }

  /** Makes a name one of those of a run. If they are too many, only the one that posted last stays. */
  #join(run: Run, name: Name): void {
    const { names_max } = this.#options;
    if (run.group.names.length === names_max) this.#keepLatest(run, names_max === 1 ? 0 : run.last_posts);
    const left = run.group;
    left.runs.delete(run);
    run.group = names_max === 1 ? name.alone : this.pairOf(run.last, name);
    run.group.runs.add(run);
    this.release(left);
  }

  #keepLatest(run: Run, remaining: number): void {
    const dropped = run.times.length - remaining;
    if (dropped <= 0) return;
    run.opened_ms = null;
    if (dropped === 1) run.times.shift();
    else run.times.splice(0, dropped);
    this.size -= dropped;
  }

  /** How many posts of a run are in the window. */
  timesIn({ times }: Run, now_ms: number): number {
    const from_ms = now_ms - this.#options.window_ms;
    let first = 0;
    while (first < times.length && times[first]! < from_ms) first++;
    return times.length - first;
  }

  /** Adds to `counted` the posts in the window of the runs of these groups, other than `but`. Stops when the limit is reached. */
  count(groups: readonly (Group | undefined)[], now_ms: number, but?: Run, counted = 0): number {
    let posts = counted;
    for (const group of groups) {
      if (!group) continue;
      for (const run of group.runs) {
        if (posts >= this.#options.posts) return this.#options.posts;
        if (run === but) continue;
        if (this.#isSilent(run, now_ms)) this.drop(run);
        else posts += this.timesIn(run, now_ms);
      }
    }
    return Math.min(posts, this.#options.posts);
  }

  /** How many posts a pair has made in rooms without another name; 0 if they have not met in one. `alone`: those of `one`. */
  countPair(pair: Group, one: Name, alone: number, now_ms: number, but?: Run): number {
    const posts = this.count([pair], now_ms, but, alone);
    if (pair.runs.size === 0 && !pair.over) return 0;
    const other = pair.names[0] === one ? pair.names[1]! : pair.names[0]!;
    return this.count([other.alone], now_ms, but, posts);
  }

  /** Counts only later posts in a room. */
  clear(run: Run): void {
    this.#keepLatest(run, 0);
    run.last_posts = 0;
  }

  drop(run: Run): void {
    this.clear(run);
    this.size--;
    this.#runs.delete(run.room);
    run.group.runs.delete(run);
    this.release(run.group);
  }

  /** Forgets a group, and its names, if nothing is known of them. */
  release(group: Group): void {
    if (group.runs.size > 0 || group.over) return;
    const [one, other] = group.names;
    if (other) {
      one!.pairs.delete(other);
      other.pairs.delete(one!);
    }
    for (const name of group.names) {
      const is_known = name.alone.runs.size > 0 || name.over.size > 0 || name.pairs.size > 0;
      if (!is_known) this.#names.delete(name.canonical);
    }
  }

  /**
   * If much is in memory, drops what is out of the window; then, if there is still too much, the rooms whose latest posts are the
   * oldest.
   */
  sweep(now_ms: number): void {
    if (this.size <= this.#sweep_at) return;
    const { remembered_max } = this.#options;
    for (const run of this.#runs.values()) if (this.#isSilent(run, now_ms)) this.drop(run);
    if (this.size > remembered_max) {
      const oldest = [...this.#runs.values()].sort((a, b) => a.latest_ms - b.latest_ms);
      for (const run of oldest) {
        if (this.size <= remembered_max * 0.75) break;
        this.drop(run);
      }
    }
    this.#sweep_at = Math.min(Math.max(this.size * 2, swept_from), remembered_max);
  }
}
