/** Who waits now, and who did lately: by topic and by claimed name, from the waits and streams that are open. */

import type { Clock } from "./clock.ts";
import type { Identity } from "./caller.ts";
import { limits } from "./limits.ts";

/** A claimed name at a topic. Only its key shows it there. */
interface Seen {
  name: string;
  /** Whether a wait or a stream of it is open. */
  waiting: boolean;
  /** When it was there last, in unix milliseconds: now if it waits. */
  seen_ms: number;
}

/** Who is at a topic. */
export interface PresentAt {
  /** By canonical name. */
  names: Map<string, Seen>;
  /** How many waits and streams without a key are open. */
  others: number;
}

/** Who waits at a topic of one node. */
export interface Here {
  /** Canonical names with the names. */
  names: [canonical: string, name: string][];
  others: number;
}

/** The waits and streams of one call. */
interface Visit {
  /** Adds topics that it waits for. */
  follow(topics: readonly string[]): void;
  leave(): void;
}

interface Place {
  /** The names that are here, with the number of their calls. */
  here: Map<string, { name: string; calls: number }>;
  /** The names that have left, with the time of it. */
  left: Map<string, { name: string; seen_ms: number }>;
  others: number;
}

const nobody: Place = { here: new Map(), left: new Map(), others: 0 };

/** The place of a name: it is there while any call of it is open. */
export const placeOfName = (canonical: string): string => `name:${canonical}`;

export class Presence {
  readonly #places = new Map<string, Place>();
  /** Callers who have left, the earliest first: a place and a canonical name for each. */
  readonly #left = new Map<string, [place: string, canonical: string]>();
  #changed: (key: string) => void = () => {};
  #elsewhere: (key: string) => Here[] = () => [];

  /** `isPlace`: the topics of which presence is known. */
  constructor(
    private readonly clock: Pick<Clock, "now">,
    private readonly isPlace: (topic: string) => boolean,
  ) {}

  /** Begins the visit of a caller. It has to leave. */
  arrive(identity: Identity | null): Visit {
    const places = new Set<string>();
    let has_left = false;
    const enter = (place: string) => {
      if (has_left || places.has(place)) return;
      places.add(place);
      this.#enter(place, identity);
    };
    if (identity) enter(placeOfName(identity.canonical));
    return {
      follow: (topics) => {
        for (const topic of topics) if (this.isPlace(topic)) enter(topic);
      },
      leave: () => {
        has_left = true;
        for (const place of places) this.#leave(place, identity);
        places.clear();
      },
    };
  }

  /** Who is at a topic now, and who was lately: at this node, and at those that `noteElsewhere` knows. */
  at(key: string): PresentAt {
    const all = [this.here(key), ...this.#elsewhere(key)];
    const names = new Map<string, Seen>();
    for (const [canonical, { name, seen_ms }] of this.#places.get(key)?.left ?? [])
      names.set(canonical, { name, waiting: false, seen_ms });
    const seen_ms = this.clock.now();
    for (const { names: here } of all)
      for (const [canonical, name] of here) names.set(canonical, { name, waiting: true, seen_ms });
    return { names, others: all.reduce((sum, { others }) => sum + others, 0) };
  }

  /** Whether somebody waits at a topic now: at this node, or at those that `noteElsewhere` knows. */
  isWaitedAt(key: string): boolean {
    const place = this.#places.get(key);
    if (place && place.here.size + place.others > 0) return true;
    return this.#elsewhere(key).some(({ names, others }) => names.length + others > 0);
  }

  /** Who waits at a topic of this node now. */
  here(key: string): Here {
    const { here, others } = this.#places.get(key) ?? nobody;
    return { names: Array.from(here, ([canonical, { name }]) => [canonical, name]), others };
  }

  /** The topics of this node at which somebody waits. */
  *occupied(): Generator<string> {
    for (const [key, { here, others }] of this.#places) if (here.size + others > 0) yield key;
  }

  /** Shares presence with other nodes: `changed` is called when the presence at a topic changes at this node, `elsewhere` returns the presence at other nodes. */
  share(changed: (key: string) => void, elsewhere: (key: string) => Here[]): void {
    this.#changed = changed;
    this.#elsewhere = elsewhere;
  }

  /** Notes that a name has left a topic at another node. */
  noteLeft(key: string, canonical: string, name: string): void {
    const place = this.#placeAt(key);
    place.left.set(canonical, { name, seen_ms: this.clock.now() });
    this.#left.delete(`${key}\n${canonical}`);
    this.#left.set(`${key}\n${canonical}`, [key, canonical]);
    this.#forget();
  }

  #enter(key: string, identity: Identity | null): void {
    const place = this.#placeAt(key);
    if (identity) {
      const { canonical, name } = identity;
      const calls = (place.here.get(canonical)?.calls ?? 0) + 1;
      place.here.set(canonical, { name, calls });
      if (place.left.delete(canonical)) this.#left.delete(`${key}\n${canonical}`);
    } else {
      place.others++;
    }
    this.#changed(key);
  }

  #placeAt(key: string): Place {
    const found = this.#places.get(key);
    if (found) return found;
    const place: Place = { here: new Map(), left: new Map(), others: 0 };
    this.#places.set(key, place);
    return place;
  }

  #leave(key: string, identity: Identity | null): void {
    const place = this.#places.get(key)!;
    if (identity) {
      const { canonical, name } = identity;
      const here = place.here.get(canonical)!;
      if (--here.calls > 0) return;
      place.here.delete(canonical);
      this.noteLeft(key, canonical, name);
    } else {
      place.others--;
      this.#drop(key, place);
    }
    this.#changed(key);
  }

  /** Forgets the earliest of those who have left if they are too many. */
  #forget(): void {
    while (this.#left.size > limits.left_names_max) {
      const [first, [key, canonical]] = this.#left.entries().next().value!;
      this.#left.delete(first);
      const place = this.#places.get(key)!;
      place.left.delete(canonical);
      this.#drop(key, place);
    }
  }

  #drop(key: string, { here, left, others }: Place): void {
    if (here.size + left.size + others === 0) this.#places.delete(key);
  }
}
