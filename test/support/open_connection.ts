/** One connection that stays open, with requests written on it one after another. */

import { connect, type Socket } from "node:net";

export class OpenConnection {
  readonly #socket: Socket;
  readonly #host: string;
  #received = "";
  #onData = () => {};

  private constructor(socket: Socket, host: string) {
    this.#socket = socket;
    this.#host = host;
    socket.on("data", (chunk) => {
      this.#received += chunk.toString("latin1");
      this.#onData();
    });
  }

  static open(url: string): Promise<OpenConnection> {
    const { hostname, port, host } = new URL(url);
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => resolve(new OpenConnection(socket, host)));
      socket.on("error", reject);
    });
  }

  /** Sends a request. Returns its status when the whole answer has arrived. */
  async status(method: string, path: string, body = ""): Promise<number> {
    this.#received = "";
    const type = body && "content-type: application/json\r\n";
    this.write(
      `${method} ${path} HTTP/1.1\r\nhost: ${this.#host}\r\n${type}content-length: ${body.length}\r\n\r\n${body}`,
    );
    while (!this.#isWhole()) await new Promise<void>((resolve) => (this.#onData = resolve));
    return Number(this.#received.slice(9, 12));
  }

  #isWhole(): boolean {
    const head_length = this.#received.indexOf("\r\n\r\n") + 4;
    if (head_length < 4) return false;
    const length = /^content-length: (\d+)/im.exec(this.#received)?.[1];
    if (length === undefined) return this.#received.endsWith("\r\n0\r\n\r\n");
    return this.#received.length >= head_length + Number(length);
  }

  write(text: string): void {
    this.#socket.write(text);
  }

  close(): void {
    this.#socket.destroy();
  }
}
