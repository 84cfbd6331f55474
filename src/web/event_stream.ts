/**
 * Server-sent events (HTML Standard, section 9.2): everybody who follows a subject gets each event once and in order.
 * An event is read and written out once, then handed to all; whoever joins catches up by reading first.
 */

import type { Clock } from "../clock.ts";
import { limits } from "../limits.ts";

export interface StreamEvent {
  /** The event's place in the order; ids compare as text. */
  id: string;
  event: string;
  /** One line. */
  data: string;
}

/** Where a stream's events come from. */
export interface EventSource {
  subject: string;
  /** The earliest events after `position`, whether there are more, and whether the last one ends the stream. */
  next(position: string): Promise<{ events: StreamEvent[]; more: boolean; ended: boolean }>;
}

const utf8 = new TextEncoder();
const heartbeat = utf8.encode(": still here\n\n");
const encode = ({ id, event, data }: StreamEvent): Uint8Array =>
  utf8.encode(`id: ${id}\nevent: ${event}\ndata: ${data}\n\n`);

/** Where a reader comes in. */
export interface Entry {
  /** The last event that the reader has; it may lie ahead of all events. */
  position: string;
  /** The place of the subject's latest event. */
  latest: string;
}

/** One open stream. */
class Follower {
  /** Everything up to here has been read for this follower. */
  reached: string;
  open = true;
  #position: string;
  /** Set while what was sent waits for the reader to take it. */
  #taken: (() => void) | undefined;
  #has_stalled = false;
  readonly #controller: ReadableStreamDefaultController<Uint8Array>;
  readonly #left: () => void;

  constructor(
    controller: ReadableStreamDefaultController<Uint8Array>,
    { position, latest }: Entry,
    left: () => void,
  ) {
    this.#controller = controller;
    this.#position = position;
    this.reached = position < latest ? position : latest;
    this.#left = left;
  }

  send(chunk: Uint8Array): void {
    if (!this.open) return;
    this.#controller.enqueue(chunk);
    // A reader that does not read must not fill our memory: it is cut off and resumes by Last-Event-ID.
    if ((this.#controller.desiredSize ?? 0) < -limits.stream_backlog_bytes_max) this.end();
  }

  /** Resolves at once, or where the reader is behind, when it has taken everything or is gone. */
  async drained(): Promise<void> {
    if (!this.open || (this.#controller.desiredSize ?? 0) > -limits.stream_backlog_bytes_max / 4) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#taken = resolve;
    await promise;
  }

  /** The reader has taken everything that was sent. */
  took(): void {
    this.#taken?.();
    this.#taken = undefined;
    this.#has_stalled = false;
  }

  /** Shows that the stream lives. A reader that took nothing since the last time is cut off. */
  beat(): void {
    if (this.#has_stalled) this.end();
    this.#has_stalled = this.#taken !== undefined;
    this.send(heartbeat);
  }

  sendEvent(id: string, chunk: Uint8Array): void {
    this.reached = id;
    if (id <= this.#position) return;
    this.#position = id;
    this.send(chunk);
  }

  end(): void {
    if (!this.open) return;
    this.leave();
    this.#controller.close();
  }

  /** The reader is gone. */
  leave(): void {
    if (!this.open) return;
    this.open = false;
    this.#taken?.();
    this.#left();
  }
}

/** All followers of one subject. */
class Feed {
  /** Those who have caught up: they get each event as it happens. */
  readonly #followers = new Set<Follower>();
  readonly #source: EventSource;
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  /** Everything up to here has been handed to the followers. */
  #position = "";
  #pumping = false;
  #stale = false;
  #sent = 0;
  #unread_bytes = 0;
  /** Followers, those that are still catching up included. */
  members = 0;

  constructor(source: EventSource, clock: Clock, onError: (error: unknown) => void) {
    this.#source = source;
    this.#clock = clock;
    this.#onError = onError;
  }

  /** Brings a follower up to where the others are, at its reader's pace, then adds it to them. */
  async join(follower: Follower): Promise<void> {
    const isBehind = () => (this.#followers.size > 0 || this.#pumping) && follower.reached < this.#position;
    let has_more = true;
    while (has_more || isBehind()) {
      const others = this.#position;
      const { events, more, ended } = await this.#source.next(follower.reached);
      for (const event of events) {
        await follower.drained();
        follower.sendEvent(event.id, encode(event));
      }
      if (ended) follower.end();
      if (!follower.open) return;
      // What the others had before this was read, has been read with it.
      if (!more && follower.reached < others) follower.reached = others;
      has_more = more;
    }
    if (this.#followers.size === 0 && !this.#pumping) this.#position = follower.reached;
    this.#followers.add(follower);
    await this.pump();
  }

  leave(follower: Follower): void {
    this.members--;
    this.#followers.delete(follower);
  }

  /** Ends every stream. */
  end(): void {
    for (const follower of this.#followers) follower.end();
  }

  /** Hands out everything that has happened since the last time. */
  async pump(): Promise<void> {
    this.#stale = true;
    if (this.#pumping) return;
    this.#pumping = true;
    try {
      while (this.#stale && this.#followers.size > 0) {
        this.#stale = false;
        const { events, more, ended } = await this.#source.next(this.#position);
        for (const event of events) await this.#handOut(event);
        if (ended) this.end();
        if (more) this.#stale = true;
      }
    } catch (error) {
      // Nobody may wait for what could not be read: they resume from where they are.
      this.#onError(error);
      this.end();
    } finally {
      this.#pumping = false;
    }
  }

  async #handOut(event: StreamEvent): Promise<void> {
    const chunk = encode(event);
    for (const follower of this.#followers) {
      follower.sendEvent(event.id, chunk);
      // A thousand followers must not keep a writer waiting for its answer.
      if (++this.#sent % limits.stream_fanout_per_turn === 0) await this.#clock.turn();
    }
    this.#position = event.id;
    // A reader that reads must not be cut off for what came in one turn.
    this.#unread_bytes += chunk.length;
    if (this.#unread_bytes < limits.stream_backlog_bytes_max / 4) return;
    this.#unread_bytes = 0;
    await this.#clock.turn();
  }
}

export class EventStreams {
  readonly #clock: Clock;
  readonly #feeds = new Map<string, Feed>();
  readonly #followers = new Set<Follower>();
  readonly #onError: (error: unknown) => void;
  #stopHeartbeat: (() => void) | undefined;
  #closed = false;

  constructor(clock: Clock, onError: (error: unknown) => void) {
    this.#clock = clock;
    this.#onError = onError;
  }

  /** A response that streams the source's events after the entry's position, until the source ends or the reader leaves. */
  open(source: EventSource, entry: Entry): Response {
    const feed = this.#feeds.get(source.subject) ?? new Feed(source, this.#clock, this.#onError);
    this.#feeds.set(source.subject, feed);
    feed.members++;
    let follower: Follower | undefined;
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          const joined = new Follower(controller, entry, () => {
            this.#followers.delete(joined);
            feed.leave(joined);
            if (feed.members === 0) this.#feeds.delete(source.subject);
          });
          follower = joined;
          this.#followers.add(joined);
          // Headers leave with the first byte.
          joined.send(utf8.encode(`retry: 3000\n: following ${source.subject}\n\n`));
          if (this.#closed) return joined.end();
          feed.join(joined).catch((error: unknown) => {
            this.#onError(error);
            joined.end();
          });
        },
        pull: () => follower?.took(),
        cancel: () => follower?.leave(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
    );
    this.#stopHeartbeat ??= this.#beat();
    return new Response(body, {
      headers: {
        "content-type": "text/event-stream",
        "cache-control": "no-store",
        "x-accel-buffering": "no",
      },
    });
  }

  #beat(): () => void {
    return this.#clock.after(limits.stream_heartbeat_seconds * 1000, () => {
      for (const follower of this.#followers) follower.beat();
      this.#stopHeartbeat = this.#followers.size > 0 ? this.#beat() : undefined;
    });
  }

  /** Tells the followers of `subject` that something happened. */
  announce(subject: string): void {
    void this.#feeds.get(subject)?.pump();
  }

  /** How many streams are open. */
  get open_streams(): number {
    return this.#followers.size;
  }

  /** Ends all streams. */
  close(): void {
    this.#closed = true;
    this.#stopHeartbeat?.();
    for (const follower of this.#followers) follower.end();
  }
}
