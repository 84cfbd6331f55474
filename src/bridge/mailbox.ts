/** The mailbox of the name whose key the bridge has, read over the HTTP API. Its calls wait for a service that is away. */

import { createClient, orThrow, WharfProblem, type Client } from "../client/client.ts";
import { Attempts, pause } from "./attempts.ts";
import type { BridgeDeps, Place } from "./deps.ts";
import { bridge_limits, channel_limits } from "./limits.ts";

/** A note in the short form that tools give. The bridge reads its seq alone. */
export interface LeanNote {
  seq: number;
}

/** A mailbox: the service, and the claimed name. */
export interface MailboxOf {
  url: string;
  name: string;
}

interface Unread {
  mailbox: MailboxOf;
  /** All unread notes, the oldest first. */
  notes: LeanNote[];
  /** The seq of the latest note, also of one that was read. */
  latest_seq: number;
}

type Call<Answer> = (client: Client, mailbox: MailboxOf, signal: AbortSignal) => Promise<Answer>;

export class Mailbox {
  /** The refusal that the user knows of. */
  #noted = "";

  constructor(
    private readonly deps: BridgeDeps,
    /** Aborts with the bridge. */
    private readonly signal: AbortSignal,
  ) {}

  unread(): Promise<Unread> {
    return this.#answered(async (client, mailbox, signal) => {
      const notes: LeanNote[] = [];
      // Without `since` it begins after the read mark.
      for (let from: { since?: number } = {}; ;) {
        const query = { fields: "lean" as const, limit: channel_limits.page_notes, ...from };
        const page = await orThrow(client.get("/api/mailbox", { query, signal }));
        notes.push(...page.notes);
        if (!page.more) return { mailbox, notes, latest_seq: page.next_since };
        from = { since: page.next_since };
      }
    });
  }

  /** Resolves when there is a note after the one with this seq. */
  async after(since: number): Promise<void> {
    const query = { fields: "lean" as const, since, limit: 1, wait_seconds: channel_limits.wait_seconds };
    const has_come = () =>
      this.#answered(async (client, _mailbox, signal) => {
        const { data, error } = await client.get("/api/mailbox", { query, signal });
        // So many notes have come that the first ones after it are not stored any more.
        if (error?.code === "notes_pruned") return true;
        if (error) throw new WharfProblem(error);
        return data.notes.length > 0;
      });
    while (!(await has_come()));
  }

  /** Reports that the agent was reached by the note with this seq. Called once: a failure is silent, and an older service knows no reports. */
  async reached(through: number): Promise<void> {
    await this.#once((client, _mailbox, signal) =>
      client.post("/api/mailbox/reached", { body: { through, by: "channel" }, signal }),
    ).catch(() => {});
  }

  /** Calls until the service answers. A refusal is noted once, and the call is made again later. Rejects when the bridge ends. */
  async #answered<Answer>(call: Call<Answer>): Promise<Answer> {
    const attempts = new Attempts(this.deps, Infinity);
    for (;;) {
      try {
        const answer = await this.#once(call);
        this.#noted = "";
        return answer;
      } catch (error) {
        this.signal.throwIfAborted();
        if (error instanceof WharfProblem && error.problem.status !== 503) await this.#refused(error.message);
        else await attempts.again(this.signal);
      }
    }
  }

  async #once<Answer>(call: Call<Answer>): Promise<Answer> {
    const { finder } = this.deps;
    const place = await finder.find();
    try {
      const seconds_max = channel_limits.wait_seconds + channel_limits.answer_seconds_max;
      const signal = AbortSignal.any([this.signal, AbortSignal.timeout(seconds_max * 1_000)]);
      return await call(clientAt(place), { url: place.service_url, name: place.name ?? "" }, signal);
    } catch (error) {
      if (!(error instanceof WharfProblem) && !this.signal.aborted) finder.lost(place);
      throw error;
    }
  }

  async #refused(reason: string): Promise<void> {
    if (this.#noted !== reason) this.deps.note(`The mailbox cannot be read: ${reason}`);
    this.#noted = reason;
    await pause(this.deps.clock, bridge_limits.refused_stream_pause_ms, this.signal);
  }
}

/** A client that makes each call once. */
const clientAt = ({ service_url: url, headers, options }: Place): Client =>
  createClient({
    url,
    headers,
    retries: 0,
    fetch: (address, init) => fetch(address, { ...init, ...options }),
  });
