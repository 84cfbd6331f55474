/** The open streams of one kind: one timer gives all of them their heartbeat. */

import type { Clock } from "../../core/clock.ts";
import { heartbeat_ms } from "./format.ts";

interface OpenStream {
  /** Sends a heartbeat. */
  beat(): void;
  /** Ends the stream, which removes it from the set. */
  end(): void;
}

export class OpenStreams {
  readonly #streams = new Set<OpenStream>();
  #cancelHeartbeat: (() => void) | undefined;
  #closed = false;

  constructor(private readonly clock: Clock) {}

  /** Adds an open stream. After `close`, ends it at once. */
  add(stream: OpenStream): void {
    this.#streams.add(stream);
    if (this.#closed) stream.end();
    else this.#cancelHeartbeat ??= this.#schedule();
  }

  delete(stream: OpenStream): void {
    this.#streams.delete(stream);
  }

  get size(): number {
    return this.#streams.size;
  }

  #schedule(): () => void {
    return this.clock.after(heartbeat_ms, () => {
      for (const stream of this.#streams) stream.beat();
      this.#cancelHeartbeat = this.#streams.size > 0 ? this.#schedule() : undefined;
    });
  }

  /** Ends all streams, and every later one at once. */
  close(): void {
    this.#closed = true;
    this.#cancelHeartbeat?.();
    for (const stream of this.#streams) stream.end();
  }
}
