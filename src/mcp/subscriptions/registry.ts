/** Who wants to know of which changes: told at each announcement, in no time that depends on who else is there. */

interface Subscriber {
  changed(): void;
}

export class Subscribers {
  readonly #by_subject = new Map<string, Set<Subscriber>>();

  /** Calls `changed` whenever `subject` is announced, until the answer is called. */
  add(subject: string, changed: () => void): () => void {
    const subscriber = { changed };
    const subscribers = this.#by_subject.get(subject) ?? new Set();
    this.#by_subject.set(subject, subscribers.add(subscriber));
    return () => {
      subscribers.delete(subscriber);
      if (subscribers.size === 0 && this.#by_subject.get(subject) === subscribers) {
        this.#by_subject.delete(subject);
      }
    };
  }

  /** Says that `subject` has changed; for null, that anything may have. */
  announce(subject: string | null): void {
    for (const announced of subject === null ? this.#by_subject.keys() : [subject]) {
      for (const subscriber of this.#by_subject.get(announced) ?? []) subscriber.changed();
    }
  }

  /** How many subscriptions there are. */
  get count(): number {
    let count = 0;
    for (const subscribers of this.#by_subject.values()) count += subscribers.size;
    return count;
  }
}
