/** Calls the listeners to changes of the storage (`Storage.onChange`). A change that a listener could not take in is repeated. */

import { systemClock } from "../core/clock.ts";
import { ServiceError } from "../core/errors.ts";
import { errorText, type Log } from "../core/log.ts";
import { service_errors } from "../core/general_errors.ts";
import type { ChangeListener, ChangePhase } from "../core/storage.ts";
import { storage_limits } from "./limits.ts";

/** Listeners by phase. */
export class PhasedListeners {
  readonly #invalidating: ChangeListener[] = [];
  readonly #notifying: ChangeListener[] = [];
  /** All of them, in the order of the phases. */
  in_order: readonly ChangeListener[] = [];

  add(phase: ChangePhase, listener: ChangeListener): void {
    (phase === "invalidate" ? this.#invalidating : this.#notifying).push(listener);
    this.in_order = [...this.#invalidating, ...this.#notifying];
  }
}

export class Listeners {
  readonly #listeners = new PhasedListeners();
  /** What listeners have begun and not ended. */
  readonly #running = new Set<Promise<unknown>>();
  /** The topics that a listener failed to handle. */
  readonly #missed = new Map<ChangeListener, Set<string | null>>();
  #cancelRepeat: (() => void) | undefined;
  #is_closed = false;

  /** `canRead`: whether the storage answers; while it does not, nothing is repeated. */
  constructor(
    private readonly log: Pick<Log, "error">,
    private readonly canRead: () => boolean = () => true,
  ) {}

  add(phase: ChangePhase, listener: ChangeListener): void {
    this.#listeners.add(phase, listener);
  }

  /** Calls the listeners. An error in one must not stop the others or the answer of the write. */
  announce(topic: string | null): void {
    for (const listener of this.#listeners.in_order) this.#call(listener, topic);
  }

  #call(listener: ChangeListener, topic: string | null): void {
    try {
      const begun = listener(topic);
      if (!begun) return;
      const running = begun
        .then(
          () => this.#took(listener, topic),
          (error: unknown) => this.#miss(listener, topic, error),
        )
        .finally(() => this.#running.delete(running));
      this.#running.add(running);
    } catch (error) {
      this.#broke(error);
    }
  }

  #broke(error: unknown): void {
    this.log.error("storage.listener_broke", { error: errorText(error) });
  }

  #took(listener: ChangeListener, topic: string | null): void {
    const topics = this.#missed.get(listener);
    if (topics?.delete(topic) && topics.size === 0) this.#missed.delete(listener);
  }

  #miss(listener: ChangeListener, topic: string | null, error: unknown): void {
    // The storage has logged why it refused.
    if (!(error instanceof ServiceError)) this.#broke(error);
    this.#missed.set(listener, (this.#missed.get(listener) ?? new Set()).add(topic));
    if (!this.#is_closed) this.#cancelRepeat ??= systemClock.after(storage_limits.repeat_ms, this.#repeat);
  }

  #repeat = (): void => {
    this.#cancelRepeat = undefined;
    if (!this.canRead()) {
      this.#cancelRepeat = systemClock.after(storage_limits.repeat_ms, this.#repeat);
      return;
    }
    for (const [listener, topics] of this.#missed) for (const topic of topics) this.#call(listener, topic);
  };

  /** Whether every listener has taken in what it was called for, or is about to. */
  get are_current(): boolean {
    return this.#missed.size === 0;
  }

  /**
   * Resolves when everything has ended that listeners have begun before this call. Rejects with `storage_busy` while one of them
   * has missed a change.
   */
  async settled(): Promise<void> {
    if (this.#running.size > 0) await Promise.all(this.#running);
    if (this.are_current) return;
    throw new ServiceError(service_errors.storage_busy, "What has changed cannot be read at the moment.", {
      retry_after_seconds: 1,
    });
  }

  /** Repeats nothing more. */
  close(): void {
    this.#is_closed = true;
    this.#cancelRepeat?.();
  }
}
