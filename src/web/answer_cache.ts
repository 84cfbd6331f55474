/** Finished answers, kept in memory until what they show changes. Bounded in bytes, least recently used first out. */

import { limits } from "../limits.ts";
import type { Tagged } from "./answers.ts";

export class AnswerCache {
  readonly #answers = new Map<string, { subject: string; answer: Tagged }>();
  readonly #keys = new Map<string, Set<string>>();
  /** How often each subject that is being rendered has changed since. */
  readonly #rendering = new Map<string, { changed: boolean }[]>();
  #bytes = 0;

  /** The answer under `key`, which shows `subject`; rendered when it is not there. */
  async get(subject: string, key: string, render: () => Promise<Tagged>): Promise<Tagged> {
    const found = this.#answers.get(key);
    if (found) {
      this.#answers.delete(key);
      this.#answers.set(key, found);
      return found.answer;
    }
    const rendering = { changed: false };
    const others = this.#rendering.get(subject) ?? [];
    this.#rendering.set(subject, [...others, rendering]);
    try {
      const answer = await render();
      // What was read before a change and finished after it must not be kept.
      if (!rendering.changed) this.#put(subject, key, answer);
      return answer;
    } finally {
      const left = this.#rendering.get(subject)!.filter((other) => other !== rendering);
      if (left.length > 0) this.#rendering.set(subject, left);
      else this.#rendering.delete(subject);
    }
  }

  /** Forgets every answer that shows `subject`; all of them for null. */
  forget(subject: string | null): void {
    if (subject === null) {
      for (const rendered of [...this.#rendering.keys(), ...this.#keys.keys()]) this.forget(rendered);
      return;
    }
    for (const rendering of this.#rendering.get(subject) ?? []) rendering.changed = true;
    for (const key of this.#keys.get(subject) ?? []) this.#drop(key);
  }

  #put(subject: string, key: string, answer: Tagged): void {
    if (answer.bytes.length > limits.answer_cache_entry_bytes_max) return;
    if (this.#answers.has(key)) this.#drop(key);
    this.#answers.set(key, { subject, answer });
    const keys = this.#keys.get(subject) ?? new Set();
    this.#keys.set(subject, keys.add(key));
    this.#bytes += answer.bytes.length;
    for (const oldest of this.#answers.keys()) {
      if (this.#bytes <= limits.answer_cache_bytes_max) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const { subject, answer } = this.#answers.get(key)!;
    this.#answers.delete(key);
    this.#bytes -= answer.bytes.length;
    const keys = this.#keys.get(subject)!;
    keys.delete(key);
    if (keys.size === 0) this.#keys.delete(subject);
  }
}
