/** Messages between nodes: records in the table of changes, which every node reads and which are soon deleted. */

import type { Messages } from "../../core/messages.ts";
import type { Pool } from "./pool.ts";

const prefix = "message:";

export class NodeMessages implements Messages {
  readonly #listeners: Parameters<Messages["onMessage"]>[0][] = [];
  #running: Promise<unknown> = Promise.resolve();

  /** `node`: the id of this node, in hex. `sent`: called when others have something to read. */
  constructor(
    private readonly pool: Pool,
    private readonly node: string,
    private readonly sent: () => void,
  ) {}

  async send(texts: readonly string[]): Promise<void> {
    const records = texts.map((text) => `${prefix}${this.node}:${text}`);
    const sending = this.pool.with(
      (handle) => handle`INSERT INTO changed_topics (topic) SELECT unnest(${handle.array(records, "TEXT")})`,
    );
    this.#running = sending.catch(() => undefined);
    await sending;
    this.sent();
  }

  onMessage(listener: Parameters<Messages["onMessage"]>[0]): void {
    this.#listeners.push(listener);
  }

  /** Takes a topic that is a message. Returns whether it is one. */
  take(topic: string | null): boolean {
    if (!topic?.startsWith(prefix)) return false;
    const begin = topic.indexOf(":", prefix.length);
    const node = topic.slice(prefix.length, begin);
    if (node !== this.node) for (const listener of this.#listeners) listener(node, topic.slice(begin + 1));
    return true;
  }

  /** Resolves when nothing uses the connection any more. */
  async close(): Promise<void> {
    await this.#running;
  }
}
