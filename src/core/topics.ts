/** Publish and subscribe within the process: waits, event streams and MCP subscriptions learn here that a topic changed. */

/** The topic that is published when a public page disappears. */
export const page_removed = "page.removed";

/** The topic that is published when an admin withdraws a text: nothing that is stored to be sent again may contain it. */
export const text_withdrawn = "text.withdrawn";

type Listener = () => void;

const one = () => 1;

export class Topics {
  /** By topic, the listeners, each with how many callers it listens for. */
  readonly #listeners = new Map<string, Map<Listener, () => number>>();
  #count = 0;

  /**
   * Calls `listener` at each publication of `topic`, until the result is called. Each subscription needs a function of its
   * own. Listeners run one after the other in the publisher's turn: they must return at once and not throw. `callers` returns
   * how many callers the listener listens for at the moment; one by default.
   */
  subscribe(topic: string, listener: Listener, callers = one): () => void {
    const listeners = this.#listeners.get(topic) ?? new Map<Listener, () => number>();
    this.#listeners.set(topic, listeners.set(listener, callers));
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
      for (const listener of this.#listeners.get(published)?.keys() ?? []) listener();
    }
  }

  /** How many callers wait for a change of `topic` now, by open waits and open streams. */
  listening(topic: string): number {
    let count = 0;
    for (const callers of this.#listeners.get(topic)?.values() ?? []) count += callers();
    return count;
  }

  /** How many subscriptions there are. */
  get subscriptions(): number {
    return this.#count;
  }
}
