/**
 * Presence over several nodes of a database: each sends the others what has changed, at most once a second and nothing else. A
 * node that has begun, or may have missed something, has the others send everything again.
 */

import type { Clock } from "./clock.ts";
import { limits } from "./limits.ts";
import { errorText, type Log } from "./log.ts";
import type { Messages } from "./messages.ts";
import type { Here, Presence } from "./presence.ts";

/** A message of a node. `no`: its number, so that no two messages of a node are equal. */
type Message = { no: number } & (
  | ({ at: string } & Here)
  /** The node asks the others for everything; it still runs; it stops. */
  | { says: "hello" | "alive" | "bye" }
);

interface Node {
  heard_ms: number;
  places: Map<string, Here>;
}

const is_empty = ({ names, others }: Here): boolean => names.length === 0 && others === 0;

export class SharedPresence {
  /** Other nodes, by their ids. */
  readonly #nodes = new Map<string, Node>();
  /** The state that the other nodes have of this one, as text, by topic. */
  readonly #sent = new Map<string, string>();
  /** Topics where something may have changed since. */
  readonly #changed = new Set<string>();
  #says: "hello" | "alive" | "bye" | null = "hello";
  #count = 0;
  #cancel: (() => void) | undefined;
  #is_sending = false;
  #is_closed = false;
  #is_failing = false;

  constructor(
    private readonly presence: Presence,
    private readonly messages: Messages,
    private readonly clock: Pick<Clock, "monotonic" | "after">,
    private readonly log: Log,
  ) {
    presence.share(
      (key) => {
        this.#changed.add(key);
        this.#schedule(limits.presence_exchange_seconds);
      },
      (key) => this.#elsewhere(key),
    );
    messages.onMessage((node, text) => this.#take(node, JSON.parse(text) as Message));
  }

  /** Has the others send everything: messages of theirs may be lost. */
  ask(): void {
    this.#nodes.clear();
    this.#says = "hello";
    this.#schedule(limits.presence_exchange_seconds);
  }

  /** Sends after some seconds, unless that is scheduled already for an earlier time. */
  #schedule(seconds: number): void {
    if (this.#cancel || this.#is_sending || this.#is_closed) return;
    this.#cancel = this.clock.after(seconds * 1000, () => void this.#send());
  }

  async #send(): Promise<void> {
    this.#cancel = undefined;
    this.#cancelAlive();
    const says = this.#says;
    const news = this.#news();
    const messages = [...news.values(), ...(says ? [JSON.stringify({ no: ++this.#count, says })] : [])];
    if (messages.length > 0) {
      this.#is_sending = true;
      try {
        await this.messages.send(messages);
        if (this.#says === says) this.#says = null;
        this.#is_failing = false;
      } catch (error) {
        for (const key of news.keys()) {
          this.#sent.delete(key);
          this.#changed.add(key);
        }
        if (!this.#is_failing && !this.#is_closed)
          this.log.warn("presence.not_shared", { error: errorText(error) });
        this.#is_failing = true;
      }
      this.#is_sending = false;
    }
    if (this.#changed.size > 0 || this.#says !== null) this.#schedule(limits.presence_exchange_seconds);
    else this.#stayAlive();
  }

  #cancelAlive = (): void => {};

  /** Says later that this node is still there if it has sent nothing by then: others forget a node that is silent. */
  #stayAlive(): void {
    if (this.#sent.size === 0 || this.#is_closed) return;
    this.#cancelAlive = this.clock.after(limits.presence_alive_seconds * 1000, () => {
      this.#says ??= "alive";
      this.#schedule(0);
    });
  }

  /** Messages about changes, by topic: a small number at a time. */
  #news(): Map<string, string> {
    const news = new Map<string, string>();
    for (const key of this.#changed) {
      if (news.size === limits.presence_changes_per_message_max) break;
      this.#changed.delete(key);
      const here = this.presence.here(key);
      const text = is_empty(here) ? "" : JSON.stringify(here);
      if (text === (this.#sent.get(key) ?? "")) continue;
      if (text === "") this.#sent.delete(key);
      else this.#sent.set(key, text);
      news.set(key, JSON.stringify({ no: ++this.#count, at: key, ...here }));
    }
    return news;
  }

  #take(id: string, message: Message): void {
    const known = this.#nodes.get(id);
    const node = known ?? { heard_ms: 0, places: new Map<string, Here>() };
    if (!known) this.#nodes.set(id, node);
    node.heard_ms = this.clock.monotonic();
    if ("at" in message) return this.#moved(node, message.at, message);
    if (message.says === "bye") this.#forget(id, node);
    if (message.says !== "hello") return;
    this.#sent.clear();
    for (const key of this.presence.occupied()) this.#changed.add(key);
    if (this.#changed.size > 0) this.#schedule(limits.presence_exchange_seconds);
  }

  /** Notes who is at a topic of another node now, and who has left it. */
  #moved(node: Node, key: string, { names, others }: Here): void {
    const left = new Map(node.places.get(key)?.names);
    for (const [canonical] of names) left.delete(canonical);
    if (names.length + others > 0) node.places.set(key, { names, others });
    else node.places.delete(key);
    for (const [canonical, name] of left) this.presence.noteLeft(key, canonical, name);
  }

  #forget(id: string, node: Node): void {
    for (const key of [...node.places.keys()]) this.#moved(node, key, { names: [], others: 0 });
    this.#nodes.delete(id);
  }

  #elsewhere(key: string): Here[] {
    const oldest_ms = this.clock.monotonic() - limits.presence_silent_seconds_max * 1000;
    for (const [id, node] of this.#nodes) if (node.heard_ms < oldest_ms) this.#forget(id, node);
    return [...this.#nodes.values()].flatMap(({ places }) => places.get(key) ?? []);
  }

  /** Says that this node stops. Call it before the storage closes. */
  close(): void {
    if (this.#is_closed) return;
    this.#cancel?.();
    this.#cancelAlive();
    this.#is_closed = true;
    if (this.#sent.size === 0) return;
    this.#changed.clear();
    this.#says = "bye";
    void this.#send();
  }
}
