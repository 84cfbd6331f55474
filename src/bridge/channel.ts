/**
 * Sends the new notes of a mailbox to the client as messages of a channel: an extension of Claude Code, in a research preview there, which
 * gives them to a session that is running. Nothing acknowledges a message, so a tool call after it counts as the sign that it was seen.
 */

import { messageOf } from "../core/log.ts";
import { Attempts, pause } from "./attempts.ts";
import { channelMessage } from "./channel_message.ts";
import type { Announcements, BridgeDeps } from "./deps.ts";
import { channel_limits } from "./limits.ts";
import { Mailbox, type LeanNote, type MailboxOf } from "./mailbox.ts";

/** A message that was sent. */
interface Sent {
  /** The seq of its latest note. */
  through: number;
  /** Allows hooks and other sessions to announce its notes. */
  giveBack(): void;
}

export class Channel {
  readonly #mailbox: Mailbox;
  #has_begun = false;
  #open_requests = 0;
  #last_message_ms = -Infinity;
  /** The seqs of the unread notes that this session was sent. */
  #sent = new Set<number>();
  /** Messages that no tool call has followed yet. */
  readonly #unanswered = new Set<Sent>();
  /** When the latest request since the last message began or ended; null if there was none. */
  #last_request_ms: number | null = null;

  constructor(
    private readonly deps: BridgeDeps,
    private readonly announcements: Announcements,
    /** Aborts with the bridge. */
    private readonly signal: AbortSignal,
  ) {
    this.#mailbox = new Mailbox(deps, signal);
  }

  /** Notes that the client has ended its handshake: it takes messages. */
  begin(): void {
    if (this.#has_begun) return;
    this.#has_begun = true;
    this.#run().catch((error: unknown) => {
      if (!this.signal.aborted) this.deps.note(`The channel has ended: ${messageOf(error)}`);
    });
  }

  /** Notes a request of the client. Each is followed by a call of `requestEnded`. */
  requestBegan(method: string): void {
    this.#open_requests++;
    this.#last_request_ms = this.deps.clock.monotonic();
    if (method === "tools/call" && this.#unanswered.size > 0) this.#answered();
  }

  requestEnded(): void {
    this.#open_requests--;
    this.#last_request_ms = this.deps.clock.monotonic();
  }

  /** Gives the notes back that nobody has reacted to: the client may have dropped the messages. */
  end(): void {
    for (const sent of this.#unanswered) this.#giveBack(sent);
  }

  /** The agent has made a tool call after messages: it was reached. */
  #answered(): void {
    const through = Math.max(...Array.from(this.#unanswered, (sent) => sent.through));
    this.#unanswered.clear();
    void this.#mailbox.reached(through);
  }

  #giveBack(sent: Sent): void {
    if (!this.#unanswered.delete(sent)) return;
    try {
      sent.giveBack();
    } catch (error) {
      this.deps.note(messageOf(error));
    }
  }

  async #run(): Promise<void> {
    const { clock } = this.deps;
    await pause(clock, channel_limits.first_message_ms, this.signal);
    for (;;) {
      const latest_seq = await this.#announce();
      await this.#mailbox.after(latest_seq);
      await pause(clock, channel_limits.gather_ms, this.signal);
      while (!this.#isDue()) await pause(clock, channel_limits.look_ms, this.signal);
    }
  }

  /** Whether the next message may be sent. */
  #isDue(): boolean {
    const { message_interval_ms, idle_ms } = channel_limits;
    const now_ms = this.deps.clock.monotonic();
    const is_idle =
      this.#open_requests === 0 &&
      this.#last_request_ms !== null &&
      now_ms - this.#last_request_ms >= idle_ms;
    return is_idle || now_ms - this.#last_message_ms >= message_interval_ms;
  }

  /** Sends one message about all unread notes that nobody has announced, if there are any. Returns the seq of the latest note. */
  async #announce(): Promise<number> {
    const attempts = new Attempts(this.deps, Infinity);
    for (;;) {
      const { mailbox, notes, latest_seq } = await this.#mailbox.unread();
      this.#sent = new Set(notes.map(({ seq }) => seq).filter((seq) => this.#sent.has(seq)));
      try {
        const unsent = notes.filter(({ seq }) => !this.#sent.has(seq));
        const claim = this.announcements.claim(mailbox, unsent, latest_seq);
        if (claim.notes.length > 0) this.#send(mailbox, claim.notes, claim.giveBack);
        return latest_seq;
      } catch (error) {
        this.deps.note(messageOf(error));
        await attempts.again(this.signal);
      }
    }
  }

  #send(mailbox: MailboxOf, notes: LeanNote[], giveBack: () => void): void {
    const { clock, write } = this.deps;
    const sent = { through: notes.at(-1)!.seq, giveBack };
    for (const { seq } of notes) this.#sent.add(seq);
    this.#unanswered.add(sent);
    this.#last_message_ms = clock.monotonic();
    this.#last_request_ms = null;
    write(channelMessage(mailbox, notes));
    clock.after(channel_limits.unanswered_ms, () => this.#giveBack(sent));
  }
}
