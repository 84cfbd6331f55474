/** Notifications of changed resources, as a client of the SDK receives them. */

/** The URIs of the notifications that a client receives, in order. */
export class Notifications {
  readonly #uris: string[] = [];
  #waiting: ((uri: string) => void) | undefined;

  readonly add = ({ params }: { params: { uri: string } }): void => {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting) waiting(params.uri);
    else this.#uris.push(params.uri);
  };

  next(): Promise<string> {
    const uri = this.#uris.shift();
    return uri === undefined ? new Promise((resolve) => (this.#waiting = resolve)) : Promise.resolve(uri);
  }

  get left(): number {
    return this.#uris.length;
  }
}
