/** A stream that stays open for what changes: it asks for more only when its reader has taken what came before. */

const utf8 = new TextEncoder();

export class UpdateStream {
  readonly body: ReadableStream<Uint8Array>;
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  readonly #left: () => void;
  #next: () => string | null = () => null;
  #endCarried: () => void = () => {};
  /** Whether the reader waits for more. */
  #is_awaited = false;
  #is_open = true;

  /** `begin` is sent first: the head of the answer leaves with it. `left` is called once at the end, whoever ends it. */
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
          this.offer();
        },
        cancel: () => this.#leave(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
    );
  }

  get is_open(): boolean {
    return this.#is_open;
  }

  /** Sends what `next` has to tell, now and whenever there is more. */
  tell(next: () => string | null): void {
    this.#next = next;
    this.offer();
  }

  /** There may be something to tell: it is asked for if the reader waits, else as soon as it does. */
  offer(): void {
    const text = this.#is_awaited && this.#is_open ? this.#next() : null;
    if (text !== null) this.send(text);
  }

  /** Sends at once, whether or not the reader is behind: for what is little and rare. */
  send(chunk: string | Uint8Array): void {
    if (!this.#is_open) return;
    this.#is_awaited = false;
    this.#controller.enqueue(typeof chunk === "string" ? utf8.encode(chunk) : chunk);
  }

  /** Shows that the stream lives, to a reader that has taken everything. */
  beat(): void {
    if (this.#is_awaited) this.send(": still here\n\n");
  }

  /** Sends what comes on `source` too, and ends with it. */
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
    this.#left();
  }
}
