/** The most recently used sessions. The others are read from the database when they are used again. */

import { service_errors } from "../../core/service_errors.ts";
import { ServiceError } from "../../core/errors.ts";
import { mcp_limits } from "../limits.ts";
import type { Caller } from "../../core/caller.ts";
import { sha256Hex } from "../../core/secrets.ts";
import type { Sessions } from "./sessions.ts";
import { invalidParams, UnknownSession } from "../errors.ts";
import { LiveSession, type SessionDeps } from "./session.ts";

const full = `A session can follow ${mcp_limits.mcp_subscriptions_per_client} resources: unsubscribe from one first.`;

export class LiveSessions {
  readonly #sessions: Sessions;
  readonly #deps: SessionDeps;
  /** In the order of use, the most recent last. */
  readonly #live = new Map<string, LiveSession>();

  constructor(sessions: Sessions, deps: SessionDeps) {
    this.#sessions = sessions;
    this.#deps = deps;
  }

  /** The session with this id; null if there is none, or if it began at another address. */
  async find(id: string, address: string): Promise<LiveSession | null> {
    let session = this.#live.get(id);
    if (!session) {
      const record = await this.#sessions.find(id);
      if (record?.address !== address) return null;
      session = this.#live.get(id) ?? new LiveSession(record, this.#deps);
    }
    if (session.record.address !== address) return null;
    this.#live.delete(id);
    this.#live.set(id, session);
    this.#makeRoom();
    return session;
  }

  /**
   * Subscribes a session to a resource whose changes are published as `topic`; for null, unsubscribes it. Stored, so that
   * it holds after a restart.
   */
  async follow(caller: Caller, id: string, uri: string, topic: string | null): Promise<void> {
    const outcome = await this.#sessions.follow(caller, id, uri, topic);
    if (outcome === "gone") throw new UnknownSession();
    if (outcome === "full") throw invalidParams(full);
    const updates = this.#live.get(id)?.updates;
    if (topic === null) updates?.unsubscribe(uri);
    else updates?.subscribe(uri, topic);
  }

  /** Ends a session for good. */
  async end(caller: Caller, id: string): Promise<void> {
    await this.#sessions.end(caller, id);
    this.#close(id);
  }

  /** Closes sessions that were ended to make room for another, by the SHA-256 of their ids. */
  drop(ended: readonly string[]): void {
    if (ended.length === 0) return;
    for (const id of this.#live.keys()) if (ended.includes(sha256Hex(id))) this.#close(id);
  }

  /** Closes the least recently used sessions that have no call in progress. */
  #makeRoom(): void {
    for (const [id, session] of this.#live) {
      if (this.#live.size <= mcp_limits.mcp_sessions_live_max) return;
      if (!session.is_busy) this.#close(id);
    }
    if (this.#live.size <= 2 * mcp_limits.mcp_sessions_live_max) return;
    throw new ServiceError(service_errors.storage_busy, "Too many sessions have calls under way.", {
      retry_after_seconds: 10,
    });
  }

  forgetAnswers(): void {
    for (const session of this.#live.values()) session.forgetAnswers();
  }

  #close(id: string): void {
    this.#live.get(id)?.close();
    this.#live.delete(id);
  }

  close(): void {
    for (const id of this.#live.keys()) this.#close(id);
  }
}
