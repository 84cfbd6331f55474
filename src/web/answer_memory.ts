/**
 * Memory of large answers while they are made. Each reserves about its size before anything of it is read. A few are
 * made at a time, and networks take turns; `body_streams.ts` counts the answers that are being sent.
 */

import type { Clock } from "../core/clock.ts";
import { ServiceError } from "../core/errors.ts";
import { service_errors } from "../core/general_errors.ts";
import type { Ready } from "../core/ready.ts";
import type { BodyStreams } from "./body_streams.ts";
import type { CallerAddress } from "./caller_address.ts";
import { web_limits } from "./limits.ts";
import { factsOf } from "./request_facts.ts";

export const tooManyLargeAnswers = (): ServiceError =>
  new ServiceError(
    service_errors.answers_busy,
    "Too many large answers are under way for this one to be sent.",
    {
      hint: "Read again in a moment, or with a smaller limit.",
      retry_after_seconds: 1,
    },
  );

/** Frees nothing. */
const nothing = (): void => {};

/** An answer that waits for memory. */
interface Waiting {
  request: Request;
  bytes: number;
  since_ms: number;
  resolve(free: () => void): void;
  reject(error: ServiceError): void;
}

export class AnswerMemory {
  #reserved_bytes = 0;
  /** By network. The network whose turn is next comes first. */
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(
    private readonly clock: Clock,
    private readonly bodies: Pick<BodyStreams, "hasRoom">,
    private readonly addresses: Pick<CallerAddress, "network">,
  ) {}

  /** The bytes of answers that are being made. */
  get reserved_bytes(): number {
    return this.#reserved_bytes;
  }

  /**
   * Reserves memory for an answer to `request` of about `bytes`, until `release`, or until the function that it returns is
   * called. A call must do that if it waits afterwards, or if it is made after its answer has been returned, as a stream.
   * Resolves when the memory is there: after the answers that are being made now. A small answer needs none. Throws `answers_busy`
   * if its network, or all, are being sent too much already.
   */
  reserve(request: Request, bytes: number): Ready<() => void> {
    return bytes <= web_limits.whole_body_bytes_max ? nothing : this.#reserve(request, bytes);
  }

  async #reserve(request: Request, bytes: number): Promise<() => void> {
    const network = this.addresses.network(request);
    if (!this.bodies.hasRoom(network, bytes)) throw tooManyLargeAnswers();
    if (this.#waiting.size === 0 && this.#fits(bytes)) return this.#take(request, bytes);
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const others = this.#waiting.get(network) ?? [];
    others.push({ request, bytes, since_ms: this.clock.monotonic(), resolve, reject });
    this.#waiting.set(network, others);
    return promise;
  }

  /** Frees what `request` has reserved. Call it when its answer is returned: in the next turn its body is counted instead. */
  release(request: Request): void {
    this.#giveBack(request, factsOf(request).reserved_bytes);
  }

  /** Frees `bytes` of what `request` has reserved, or all that is left of it. */
  #giveBack(request: Request, bytes: number): void {
    const facts = factsOf(request);
    const given = Math.min(bytes, facts.reserved_bytes);
    if (given === 0) return;
    facts.reserved_bytes -= given;
    void this.#free(given);
  }

  async #free(bytes: number): Promise<void> {
    await this.clock.turn();
    this.#reserved_bytes -= bytes;
    this.#admitNext();
  }

  /** A single answer may be larger than the limit. */
  #fits(bytes: number): boolean {
    return this.#reserved_bytes === 0 || this.#reserved_bytes + bytes <= web_limits.answers_made_bytes_max;
  }

  #take(request: Request, bytes: number): () => void {
    factsOf(request).reserved_bytes += bytes;
    this.#reserved_bytes += bytes;
    let is_held = true;
    return () => {
      if (is_held) this.#giveBack(request, bytes);
      is_held = false;
    };
  }

  #admitNext(): void {
    for (const [network, [next, ...others]] of this.#waiting) {
      if (!this.#fits(next!.bytes)) return;
      this.#waiting.delete(network);
      if (others.length > 0) this.#waiting.set(network, others);
      const waited_ms = this.clock.monotonic() - next!.since_ms;
      const is_late = waited_ms > web_limits.answer_wait_seconds_max * 1000 || next!.request.signal.aborted;
      if (is_late || !this.bodies.hasRoom(network, next!.bytes)) next!.reject(tooManyLargeAnswers());
      else next!.resolve(this.#take(next!.request, next!.bytes));
    }
  }
}
