/** Those who listen to changes of the storage (`Storage.onChange`). */

import type { Log } from "../core/log.ts";

type Listener = (topic: string | null) => void;

export class Listeners {
  readonly #listeners: Listener[] = [];
  readonly #log: Pick<Log, "error">;

  constructor(log: Pick<Log, "error">) {
    this.#log = log;
  }

  add(listener: Listener): void {
    this.#listeners.push(listener);
  }

  /** Calls the listeners. An error in one must not stop the others or the answer of the write. */
  announce(topic: string | null): void {
    for (const listener of this.#listeners) {
      try {
        listener(topic);
      } catch (error) {
        this.#log.error("storage.listener_broke", { error: String(error) });
      }
    }
  }
}
