/** The most recently used sessions. The others are read from the database when they are used again. */

import { service_errors } from "../../core/general_errors.ts";
import { ServiceError } from "../../core/errors.ts";
import { mcp_limits } from "../limits.ts";
import type { Caller } from "../../core/caller.ts";
import { sha256Hex } from "../../core/secrets.ts";
import { sessionOfTopic } from "./commands.ts";
import type { Sessions } from "./sessions.ts";
import { invalidParams, UnknownSession } from "../errors.ts";
import { LiveSession, type SessionDeps } from "./session.ts";

const full = `A session can follow ${mcp_limits.mcp_subscriptions_per_client} resources: unsubscribe from one first.`;

export class LiveSessions {
  /** By the SHA-256 of their ids, in the order of use, the most recent last. */
  readonly #live = new Map<string, LiveSession>();
  /** Sessions that could not be read. They send no notifications, and are read again when a topic is published. */
  readonly #unread = new Map<string, LiveSession>();

  constructor(
    private readonly sessions: Sessions,
    private readonly deps: SessionDeps,
  ) {}

  /** The session with this id; null if there is none, or if it began at another address. */
  async find(id: string, address: string): Promise<LiveSession | null> {
    const key = sha256Hex(id);
    let session = this.#live.get(key);
    if (session) {
      if (this.sessions.isOld(session.record)) session.outdate();
      if (!(await this.#isStored(key, session))) return null;
    } else {
      const record = await this.sessions.find(id);
      if (record?.address !== address) return null;
      session = this.#live.get(key) ?? new LiveSession(record, this.deps);
      this.#live.set(key, session);
      if (session.is_outdated && !(await this.#isStored(key, session))) return null;
    }
    if (session.record.address !== address) return null;
    this.#live.delete(key);
    this.#live.set(key, session);
    this.#makeRoom();
    return session;
  }

  /** Brings a session up to date. Resolves to whether it has not ended. */
  async #isStored(key: string, session: LiveSession): Promise<boolean> {
    try {
      if (await session.refresh()) return true;
    } catch (error) {
      this.#unread.set(key, session);
      throw error;
    }
    if (this.#live.get(key) === session) this.#close(key);
    return false;
  }

  /**
   * Takes in a publication of `topic`: a session may have ended, or have other subscriptions, by a request to another node, and
   * readers of what not everybody may read may have been removed. Null: any session may.
   */
  changed(topic: string | null): Promise<unknown> | void {
    const isEnded = topic === null ? null : this.deps.readers.endedBy(topic);
    if (isEnded) for (const session of this.#live.values()) session.endSubscriptions(isEnded);
    const due = new Map(topic === null ? this.#live : this.#unread);
    this.#unread.clear();
    const key = topic === null ? null : sessionOfTopic(topic);
    const named = key === null ? undefined : this.#live.get(key);
    if (named) due.set(key!, named);
    if (due.size === 0) return undefined;
    return Promise.all(
      [...due].map(([id_sha256, session]) => {
        session.outdate();
        return this.#isStored(id_sha256, session).catch(this.deps.onError);
      }),
    );
  }

  /**
   * Subscribes a session to a resource: `text` is what to follow (`asText`); for null, unsubscribes it. Stored, so that it
   * holds after a restart and at every node.
   */
  async follow(caller: Caller, id: string, uri: string, text: string | null): Promise<void> {
    const updates = this.#live.get(sha256Hex(id))?.updates;
    const before = updates?.textOf(uri);
    // Before it is stored: a subscription that a session finds in its record counts as one that may have missed changes.
    if (text !== null) updates?.subscribe(uri, text);
    const outcome = await this.sessions.follow(caller, id, uri, text).catch((error: unknown) => {
      if (before !== undefined) updates!.subscribe(uri, before);
      else updates?.unsubscribe(uri);
      throw error;
    });
    if (text === null || outcome !== "stored") updates?.unsubscribe(uri);
    if (outcome === "gone") throw new UnknownSession();
    if (outcome === "full") throw invalidParams(full);
  }

  /** Ends a session for good. */
  async end(caller: Caller, id: string): Promise<void> {
    await this.sessions.end(caller, id);
    this.#close(sha256Hex(id));
  }

  /** Closes the least recently used sessions that have no call in progress. */
  #makeRoom(): void {
    for (const [key, session] of this.#live) {
      if (this.#live.size <= mcp_limits.mcp_sessions_live_max) return;
      if (!session.is_busy) this.#close(key);
    }
    if (this.#live.size <= 2 * mcp_limits.mcp_sessions_live_max) return;
    throw new ServiceError(service_errors.storage_busy, "Too many sessions have calls under way.", {
      retry_after_seconds: 10,
    });
  }

  forgetAnswers(): void {
    for (const session of this.#live.values()) session.forgetAnswers();
  }

  #close(key: string): void {
    this.#live.get(key)?.close();
    this.#live.delete(key);
  }

  close(): void {
    for (const key of this.#live.keys()) this.#close(key);
  }
}
