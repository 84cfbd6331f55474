/** A stream of change notifications. It asks for more only when its reader has taken what came before. */

import { heartbeat } from "../../web/sse/format.ts";

const utf8 = new TextEncoder();

export class UpdateStream {
  readonly body: ReadableStream<Uint8Array>;
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  readonly #left: () => void;
  #next: () => string | null = () => null;
  #ended: () => void = () => {};
  #endCarried: () => void = () => {};
  /** Whether the reader has taken everything and waits for more. */
  #is_awaited = false;
  #is_open = true;

  /** Sends `begin` first: the head of the response leaves with it. Calls `left` once when either side ends the stream. */
  constructor(begin: string, left: () => void = () => {}) {
    this.#left = left;
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
          this.send(begin);
        },
        pull: () => {
          this.#is_awaited = true;
          this.wake();
        },
        cancel: () => this.#leave(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
    );
  }

  get is_open(): boolean {
    return this.#is_open;
  }

  /** Sends what `next` returns, now and whenever there is more. Calls `ended` once when it has ended. */
  sendFrom(next: () => string | null, ended: () => void): void {
    this.#next = next;
    this.#ended = ended;
    this.wake();
  }

  /** Notes that there may be something to send: asks for it if the reader waits, otherwise as soon as it does. */
  wake(): void {
    const text = this.#is_awaited && this.#is_open ? this.#next() : null;
    if (text !== null) this.send(text);
  }

  /** Sends at once, even if the reader is behind: only for small and rare messages. */
  send(chunk: string | Uint8Array): void {
    if (!this.#is_open) return;
    this.#is_awaited = false;
    this.#controller.enqueue(typeof chunk === "string" ? utf8.encode(chunk) : chunk);
  }

  /** Sends to a reader that has taken everything. Another one does not get it. */
  offer(chunk: string | Uint8Array): void {
    if (this.#is_awaited) this.send(chunk);
  }

  beat(): void {
    this.offer(heartbeat);
  }

  /** Also sends what arrives on `source`, and ends with it. */
  async carry(source: ReadableStream<Uint8Array>): Promise<void> {
    const reader = source.getReader() as ReadableStreamDefaultReader<Uint8Array>;
    this.#endCarried = () => void reader.cancel().catch(() => {});
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return this.end();
      this.send(value);
    }
  }

  end(last?: string): void {
    if (!this.#is_open) return;
    if (last !== undefined) this.send(last);
    this.#leave();
    this.#controller.close();
  }

  #leave(): void {
    if (!this.#is_open) return;
    this.#is_open = false;
    this.#endCarried();
    this.#ended();
    this.#left();
  }
}
