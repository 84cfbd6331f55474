/** Values kept in memory until what they show changes. Bounded in size, least recently used first out. */

export interface KeptBounds<Value> {
  /** The size of a value, in characters or bytes. The characters of its key come on top: callers may choose those. */
  sizeOf(value: Value): number;
  size_max: number;
  /** A larger value is not kept. */
  value_size_max: number;
  /** A smaller value is not kept either. */
  value_size_min?: number;
}

export class Kept<Value> {
  readonly #bounds: KeptBounds<Value>;
  readonly #kept = new Map<string, { subject: string; value: Value; size: number }>();
  /** The keys of what is kept, by subject. */
  readonly #keys = new Map<string, Set<string>>();
  /** What is being made, by subject and key; a subject that changes meanwhile is taken out. */
  readonly #making = new Map<string, Map<string, Promise<Value>>>();
  #size = 0;

  constructor(bounds: KeptBounds<Value>) {
    this.#bounds = bounds;
  }

  /** The value under `key`, which shows `subject`; made when it is not there, once for all who ask meanwhile. */
  async get(subject: string, key: string, make: () => Promise<Value>): Promise<Value> {
    const found = this.#kept.get(key);
    if (found) {
      this.#kept.delete(key);
      this.#kept.set(key, found);
      return found.value;
    }
    return this.#making.get(subject)?.get(key) ?? this.#make(subject, key, make());
  }

  async #make(subject: string, key: string, making: Promise<Value>): Promise<Value> {
    const others = this.#making.get(subject) ?? new Map<string, Promise<Value>>();
    this.#making.set(subject, others.set(key, making));
    // What was read before a change and finished after it must neither be kept nor shared.
    const isFresh = () => this.#making.get(subject)?.get(key) === making;
    try {
      const value = await making;
      if (isFresh()) this.#put(subject, key, value);
      return value;
    } finally {
      if (isFresh()) others.delete(key);
      if (others.size === 0 && this.#making.get(subject) === others) this.#making.delete(subject);
    }
  }

  /** Forgets everything that shows `subject`; all for null. */
  forget(subject: string | null): void {
    if (subject === null) {
      for (const known of [...this.#making.keys(), ...this.#keys.keys()]) this.forget(known);
      return;
    }
    this.#making.delete(subject);
    for (const key of this.#keys.get(subject) ?? []) this.#drop(key);
  }

  #put(subject: string, key: string, value: Value): void {
    const size = this.#bounds.sizeOf(value) + key.length;
    const { value_size_min = 0, value_size_max } = this.#bounds;
    if (size > value_size_max || size < value_size_min) return;
    this.#kept.set(key, { subject, value, size });
    const keys = this.#keys.get(subject) ?? new Set();
    this.#keys.set(subject, keys.add(key));
    this.#size += size;
    for (const oldest of this.#kept.keys()) {
      if (this.#size <= this.#bounds.size_max) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const { subject, size } = this.#kept.get(key)!;
    this.#kept.delete(key);
    this.#size -= size;
    const keys = this.#keys.get(subject)!;
    keys.delete(key);
    if (keys.size === 0) this.#keys.delete(subject);
  }
}
