/** A stream of server-sent events that is opened again after each failure, and resumes after the last event that was handled. */

/** `live`: connected, and nothing is missing. `lost`: the next try comes by itself. `ended`: there is no further try. */
export type StreamState = "live" | "lost" | "ended";

interface Following {
  /** The URL of the stream. */
  url: string;
  /** The number of a post or the id of an event. The stream begins with the next one. */
  since: string;
  events: readonly string[];
  /** Called at each opening of the connection. The stream is live when it resolves. */
  onOpen(): Promise<void>;
  onEvent(event: MessageEvent<string>): Promise<void>;
  /** `onOpen` or `onEvent` has rejected. The event comes again. */
  onFailure(error: unknown): void;
  /** The browser gave the connection up, as it does if the service refuses it. It does not say why. */
  onRefused?(): void;
  onState(state: StreamState): void;
}

const retry_ms_min = 1_000;
const retry_ms_max = 60_000;

/** How long to wait before the next try after `failures` of them: longer each time, and not all pages at once. */
export const retryDelay = (failures: number, random: number): number =>
  Math.min(retry_ms_max, retry_ms_min * 2 ** failures) * (0.5 + random / 2);

export class Stream {
  readonly #following: Following;
  #since: string;
  #source: EventSource | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  /** Whether an event could not be handled, so that a connection that opens is no success yet. */
  #comes_again = false;
  #has_ended = false;

  constructor(following: Following) {
    this.#following = following;
    this.#since = following.since;
  }

  /** Whether the connection is open. */
  get is_open(): boolean {
    return this.#source?.readyState === EventSource.OPEN;
  }

  /** Opens the connection, also if there is one, which may be dead. */
  open(): void {
    this.pause();
    if (this.#has_ended) return;
    const { url, events, onOpen, onFailure, onRefused, onState } = this.#following;
    const source = new EventSource(`${url}?since=${encodeURIComponent(this.#since)}`);
    this.#source = source;
    source.onopen = async () => {
      try {
        await onOpen();
        if (source !== this.#source) return;
        if (!this.#comes_again) this.#failures = 0;
        onState("live");
      } catch (error) {
        if (source === this.#source) onFailure(error);
      }
    };
    // A browser gives up after some errors and not after others. So each failure is handled here.
    source.onerror = () => {
      const is_refused = source.readyState === EventSource.CLOSED;
      this.fail();
      if (is_refused) onRefused?.();
    };
    let handled = Promise.resolve(true);
    for (const name of events) {
      source.addEventListener(name, (event: MessageEvent<string>) => {
        handled = this.#handle(source, event, handled);
      });
    }
  }

  /** Returns whether this event and the `earlier` ones of the connection were handled. The next connection begins after the last of them. */
  async #handle(
    source: EventSource,
    event: MessageEvent<string>,
    earlier: Promise<boolean>,
  ): Promise<boolean> {
    try {
      await this.#following.onEvent(event);
    } catch (error) {
      this.#comes_again = true;
      this.#following.onFailure(error);
      return false;
    }
    if (!(await earlier) || source !== this.#source) return false;
    this.#since = event.lastEventId;
    this.#comes_again = false;
    return true;
  }

  /** Closes the connection, and tries again later. */
  fail(): void {
    this.pause();
    if (this.#has_ended) return;
    this.#following.onState("lost");
    this.#retry = setTimeout(() => this.open(), retryDelay(this.#failures++, Math.random()));
  }

  /** Closes the connection until the next `open`. */
  pause(): void {
    clearTimeout(this.#retry);
    this.#source?.close();
    this.#source = undefined;
  }

  /** Closes the connection for good. */
  end(): void {
    this.pause();
    this.#has_ended = true;
    this.#following.onState("ended");
  }
}
