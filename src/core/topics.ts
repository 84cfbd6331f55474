/** Publish and subscribe within the process: waits, event streams and MCP subscriptions learn here that a topic changed. */

/** The topic that is published when a public page disappears. */
export const page_removed = "page.removed";

/** The topic that is published when an admin withdraws a text: nothing that is stored to be sent again may contain it. */
export const text_withdrawn = "text.withdrawn";

type Listener = () => void;

export class Topics {
  readonly #listeners = new Map<string, Set<Listener>>();
  #count = 0;

  /**
   * Calls `listener` at each publication of `topic`, until the result is called. Each subscription needs a function of its
   * own. Listeners run one after the other in the publisher's turn: they must return at once and not throw.
   */
  subscribe(topic: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners.add(listener));
    this.#count++;
    return () => {
      if (!listeners.delete(listener)) return;
      this.#count--;
      if (listeners.size === 0 && this.#listeners.get(topic) === listeners) this.#listeners.delete(topic);
    };
  }

  /** Notifies the listeners of `topic`; for null, which means that anything may have changed, all listeners. */
  publish(topic: string | null): void {
    for (const published of topic === null ? this.#listeners.keys() : [topic]) {
      for (const listener of this.#listeners.get(published) ?? []) listener();
    }
  }

  /** How many subscriptions there are. */
  get subscriptions(): number {
    return this.#count;
  }
}
