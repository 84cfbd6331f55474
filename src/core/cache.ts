/** An in-memory cache with bounded size. Evicts the least recently used value first; a change of a topic drops its values. */

import type { Meter } from "./meter.ts";
import type { Ready } from "./ready.ts";

interface CacheBounds<Value> {
  /** The size of a value, in characters or bytes. The length of its key is added, because callers may choose keys. */
  sizeOf(value: Value): number;
  size_max: number;
  /** A larger value is not cached. */
  value_size_max: number;
  /** A smaller value is not cached. */
  value_size_min?: number;
}

export class Cache<Value> {
  readonly #entries = new Map<string, { topic: string; value: Value; size: number }>();
  /** The keys of cached values, by topic. */
  readonly #keys = new Map<string, Set<string>>();
  /** Values being made, by topic and key. A topic that changes meanwhile is removed. */
  readonly #making = new Map<string, Map<string, Promise<Value>>>();
  #size = 0;
  #hits = 0;
  #misses = 0;

  constructor(private readonly bounds: CacheBounds<Value>) {}

  /** The value under `key`; undefined if it is missing. */
  known(key: string): Value | undefined {
    const found = this.#entries.get(key);
    if (!found) return undefined;
    this.#hits++;
    this.#entries.delete(key);
    this.#entries.set(key, found);
    return found.value;
  }

  /** The value under `key`, which depends on `topic`. If it is missing, one `make` serves all concurrent callers. */
  async get(topic: string, key: string, make: () => Promise<Value>): Promise<Value> {
    return this.getReady(topic, key, make);
  }

  /** The same, at once if the value is not missing. */
  getReady(topic: string, key: string, make: () => Promise<Value>): Ready<Value> {
    const found = this.known(key);
    if (found !== undefined) return found;
    this.#misses++;
    return this.#making.get(topic)?.get(key) ?? this.#make(topic, key, make());
  }

  /** Adds what it holds and how often it had a value to the metrics, as the cache `name`. */
  measure(meter: Meter, name: string): this {
    const labels = ["cache"];
    meter.reading(
      { name: "wharf_cache_hits_total", type: "counter", help: "Values that a cache had.", labels },
      () => [[[name], this.#hits]],
    );
    meter.reading(
      { name: "wharf_cache_misses_total", type: "counter", help: "Values that had to be made.", labels },
      () => [[[name], this.#misses]],
    );
    meter.reading(
      {
        name: "wharf_cache_bytes",
        type: "gauge",
        help: "Size of a cache: bytes of answers, characters of all else.",
        labels,
      },
      () => [[[name], this.#size]],
    );
    return this;
  }

  async #make(topic: string, key: string, making: Promise<Value>): Promise<Value> {
    const others = this.#making.get(topic) ?? new Map<string, Promise<Value>>();
    this.#making.set(topic, others.set(key, making));
    // A value read before a change and finished after it must be neither cached nor shared.
    const isFresh = () => this.#making.get(topic)?.get(key) === making;
    try {
      const value = await making;
      if (isFresh()) this.#put(topic, key, value);
      return value;
    } finally {
      if (isFresh()) others.delete(key);
      if (others.size === 0 && this.#making.get(topic) === others) this.#making.delete(topic);
    }
  }

  /** Drops every value that depends on `topic`; for null, every value. */
  invalidate(topic: string | null): void {
    if (topic === null) {
      for (const known of [...this.#making.keys(), ...this.#keys.keys()]) this.invalidate(known);
      return;
    }
    this.#making.delete(topic);
    for (const key of this.#keys.get(topic) ?? []) this.#drop(key);
  }

  #put(topic: string, key: string, value: Value): void {
    const size = this.bounds.sizeOf(value) + key.length;
    const { value_size_min = 0, value_size_max } = this.bounds;
    if (size > value_size_max || size < value_size_min) return;
    this.#entries.set(key, { topic, value, size });
    const keys = this.#keys.get(topic) ?? new Set();
    this.#keys.set(topic, keys.add(key));
    this.#size += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.bounds.size_max) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const { topic, size } = this.#entries.get(key)!;
    this.#entries.delete(key);
    this.#size -= size;
    const keys = this.#keys.get(topic)!;
    keys.delete(key);
    if (keys.size === 0) this.#keys.delete(topic);
  }
}
