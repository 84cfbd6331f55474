/** Those who listen to changes of the storage (`Storage.onChange`). */

import type { ChangeListener } from "../core/storage.ts";
import { errorText, type Log } from "../core/log.ts";

export class Listeners {
  readonly #listeners: ChangeListener[] = [];
  readonly #log: Pick<Log, "error">;
  /** What listeners have begun and not ended. */
  readonly #running = new Set<Promise<unknown>>();

  constructor(log: Pick<Log, "error">) {
    this.#log = log;
  }

  add(listener: ChangeListener): void {
    this.#listeners.push(listener);
  }

  /** Calls the listeners. An error in one must not stop the others or the answer of the write. */
  announce(topic: string | null): void {
    const broke = (error: unknown) => this.#log.error("storage.listener_broke", { error: errorText(error) });
    for (const listener of this.#listeners) {
      try {
        const begun = listener(topic);
        if (!begun) continue;
        const running = begun.catch(broke).finally(() => this.#running.delete(running));
        this.#running.add(running);
      } catch (error) {
        broke(error);
      }
    }
  }

  /** Resolves when everything has ended that listeners have begun before this call. */
  async settled(): Promise<void> {
    if (this.#running.size > 0) await Promise.all(this.#running);
  }
}
