/**
 * Sends large bodies in pieces, as fast as their readers take them. Memory is bounded, per body and in total, and a stalled
 * reader is disconnected. (Bun would copy a whole body into its connection's buffer.)
 */

import type { Clock } from "../core/clock.ts";
import { ServiceError } from "../core/errors.ts";
import { statusOf } from "./problems.ts";
import { Turns } from "../core/turns.ts";
import { web_limits } from "./limits.ts";
import { nextOf, nothing, type BodySource } from "./body_sources.ts";
import type { IdleTimeout } from "./idle_timeout.ts";

/** Who reads a body. */
interface BodyReader {
  /** The network of the reader, by which memory is limited. */
  network: string;
  /** Called with the length of each piece that is sent. */
  sent(bytes: number): void;
}

/** A body that is being sent. */
interface Body {
  request: Request;
  reader: BodyReader;
  source: BodySource;
  controller: ReadableStreamDefaultController<Uint8Array>;
  /** The unsent rest of the source's latest piece. */
  rest: Uint8Array;
  /** When its reader was given the latest piece. */
  given_at_ms: number;
  held_bytes: number;
  /** Called just before the answer ends. */
  ends(): void;
}

/** Whether the reader may not have the rest: it was removed from the room, or the room is deleted. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ServiceError && statusOf(error.definition) < 500;

export class BodyStreams {
  readonly #turns: Turns;
  readonly #making: Turns;
  readonly #open = new Set<Body>();
  /** Bodies whose reader has not taken the latest piece yet, the longest wait first. */
  readonly #waiting = new Set<Body>();
  /** The number of readers of each body that is in memory as a whole. */
  readonly #readers = new Map<Uint8Array, number>();
  /** The bytes of such bodies that each network reads. */
  readonly #read_by_network = new Map<string, number>();
  #held_bytes = 0;
  /** Since the last collection of garbage. */
  #made_bytes = 0;
  #stopSweep: (() => void) | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly idle: IdleTimeout,
    /** Called with an error that is no refusal of its reader. After any error the answer breaks off. */
    private readonly onError: (error: unknown, request: Request) => void,
  ) {
    this.#turns = new Turns(clock, web_limits.body_pieces_per_turn);
    this.#making = new Turns(clock, web_limits.body_pieces_made_per_turn);
  }

  /**
   * Whether there is memory for another body of `bytes`. There is none while the bodies hold twice their limit, and no reader
   * has been stalled for long enough to be disconnected; nor while the network of its reader reads as much as one may.
   */
  hasRoom(network: string, bytes: number): boolean {
    return this.#mayRead(network, bytes) && this.#held_bytes + bytes <= 2 * web_limits.body_streams_bytes_max;
  }

  /** Whether there is memory for the body of `source`: readers of the same bytes share it. */
  admits({ whole }: BodySource, network: string): boolean {
    if (!whole) return true;
    if (this.#readers.has(whole)) return this.#mayRead(network, whole.length);
    return this.hasRoom(network, whole.length);
  }

  #mayRead(network: string, bytes: number): boolean {
    const read_bytes = this.#read_by_network.get(network) ?? 0;
    return read_bytes === 0 || read_bytes + bytes <= web_limits.body_bytes_by_address_max;
  }

  /** Returns the body of the answer to `request`. */
  open(request: Request, source: BodySource, reader: BodyReader): ReadableStream<Uint8Array> {
    let body: Body | undefined;
    return new ReadableStream<Uint8Array>(
      {
        // Starts at the first pull, because Bun never pulls an answer whose client is gone.
        pull: (controller) => {
          body ??= this.#begin(request, controller, source, reader);
          return this.#give(body);
        },
        cancel: () => {
          if (body) this.#leave(body);
          source.cancel();
        },
      },
      // With a high-water mark of 0, Bun pulls only after the connection has taken the previous piece.
      new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
    );
  }

  /** The number of open bodies, and the bytes that they hold. */
  get open_bodies(): number {
    return this.#open.size;
  }
  get held_bytes(): number {
    return this.#held_bytes;
  }

  /** Disconnects stalled readers. The other bodies are sent to their end. */
  close(): void {
    this.#stopSweep?.();
    for (const body of this.#stalled(web_limits.stalled_reader_seconds_min)) this.#cut(body);
  }

  #begin(
    request: Request,
    controller: ReadableStreamDefaultController<Uint8Array>,
    source: BodySource,
    reader: BodyReader,
  ): Body {
    const ends = this.idle.liftForStream(request);
    const body: Body = {
      request,
      reader,
      source,
      controller,
      rest: nothing,
      given_at_ms: 0,
      held_bytes: 0,
      ends,
    };
    this.#open.add(body);
    const { whole } = source;
    if (whole) {
      const readers = this.#readers.get(whole) ?? 0;
      if (readers === 0) this.#held_bytes += whole.length;
      this.#readers.set(whole, readers + 1);
      this.#countFor(reader, whole.length);
    }
    return body;
  }

  /** Gives the reader of a body its next piece. */
  async #give(body: Body): Promise<void> {
    this.#taken(body);
    try {
      await this.#turns.next();
      if (body.rest.length === 0) {
        this.#hold(body, 0);
        // A piece takes longer to make than to send.
        if (!body.source.whole) await this.#making.next();
        body.rest = await nextOf(body.source);
        if (!body.source.whole) this.#countMade(body.rest.length);
      }
    } catch (error) {
      if (!isRefusal(error)) this.onError(error, body.request);
      body.source.cancel();
      if (this.#leave(body)) body.controller.error(error);
      return;
    }
    // The reader may have disconnected meanwhile.
    if (!this.#open.has(body)) return;
    if (body.rest.length === 0) {
      this.#leave(body);
      body.controller.close();
      return;
    }
    const part = body.rest.subarray(0, web_limits.body_piece_bytes);
    this.#hold(body, body.source.whole ? part.length : body.rest.length);
    this.#makeRoom();
    body.rest = body.rest.subarray(part.length);
    body.given_at_ms = this.clock.monotonic();
    this.#given(body);
    body.reader.sent(part.length);
    body.controller.enqueue(part);
  }

  #countFor({ network }: BodyReader, bytes: number): void {
    const read_bytes = (this.#read_by_network.get(network) ?? 0) + bytes;
    if (read_bytes > 0) this.#read_by_network.set(network, read_bytes);
    else this.#read_by_network.delete(network);
  }

  /** Has garbage collected by what was made, because the collector alone lets pieces that were sent grow to hundreds of MB. */
  #countMade(bytes: number): void {
    this.#made_bytes += bytes;
    if (this.#made_bytes < web_limits.made_bytes_per_collection) return;
    this.#made_bytes = 0;
    Bun.gc(false);
  }

  /** Counts the memory of a body: its source and its latest piece. */
  #hold(body: Body, piece_bytes: number): void {
    const held_bytes = (body.source.held_bytes ?? 0) + piece_bytes;
    this.#held_bytes += held_bytes - body.held_bytes;
    body.held_bytes = held_bytes;
  }

  /** Disconnects the readers that have been stalled for longest, until the total is within its limit. */
  #makeRoom(): void {
    if (this.#held_bytes <= web_limits.body_streams_bytes_max) return;
    for (const body of this.#stalled(web_limits.stalled_reader_seconds_min)) {
      this.#cut(body);
      if (this.#held_bytes <= web_limits.body_streams_bytes_max) return;
    }
  }

  /** The bodies whose readers have taken nothing for `seconds`. */
  *#stalled(seconds: number): Generator<Body> {
    const latest_ms = this.clock.monotonic() - seconds * 1000;
    for (const body of this.#waiting) {
      if (body.given_at_ms > latest_ms) return;
      yield body;
    }
  }

  #cut(body: Body): void {
    this.#leave(body);
    body.source.cancel();
    body.controller.error(new Error("The reader of this answer does not read."));
  }

  /** Forgets a body. Returns whether it was open. */
  #leave(body: Body): boolean {
    if (!this.#open.delete(body)) return false;
    this.#taken(body);
    this.#held_bytes -= body.held_bytes;
    const { whole } = body.source;
    if (whole) {
      const readers = this.#readers.get(whole)! - 1;
      if (readers > 0) this.#readers.set(whole, readers);
      else {
        this.#readers.delete(whole);
        this.#held_bytes -= whole.length;
      }
      this.#countFor(body.reader, -whole.length);
    }
    body.rest = nothing;
    body.ends();
    return true;
  }

  /** The body waits for its reader. While any does, stalled readers are looked for. */
  #given(body: Body): void {
    this.#waiting.add(body);
    this.#stopSweep ??= this.#sweepLater();
  }

  /** The reader of the body has taken its piece. */
  #taken(body: Body): void {
    this.#waiting.delete(body);
    if (this.#waiting.size > 0) return;
    this.#stopSweep?.();
    this.#stopSweep = undefined;
  }

  #sweepLater(): () => void {
    return this.clock.after(web_limits.stalled_readers_sweep_seconds * 1000, () => {
      this.#stopSweep = undefined;
      for (const body of this.#stalled(web_limits.stalled_reader_seconds_max)) this.#cut(body);
      this.#makeRoom();
      if (this.#waiting.size > 0) this.#stopSweep ??= this.#sweepLater();
    });
  }
}
