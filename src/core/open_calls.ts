/** Waits and streams that are open, with the address, the name and the session of their callers, so that they can be ended early. */

import { ServiceError } from "./errors.ts";
import { service_errors } from "./general_errors.ts";

/** The caller of an open call. */
export interface OpenCaller {
  address: string;
  /** The canonical form of the claimed name whose key was sent; null if none was. */
  name: string | null;
  /** The id of the session whose cookie was sent; null if none was. */
  session: string | null;
  /** The id of the grant whose access token was sent; null if none was. */
  grant: string | null;
}

/** A wait or a stream that is open. */
export interface OpenCall {
  /** Aborted when the caller has left, and when the call is refused from now on. */
  readonly signal: AbortSignal;
  /** Says which topics the call waits for: its caller is present there until it ends. */
  follow(topics: readonly string[]): void;
  /** Whether the time of its wait was up before it found anything. The wait sets it. */
  timed_out: boolean;
  /** Rejects if the call was refused while it was open. Waits until that is known. */
  check(): Promise<void>;
  /** Call it when the wait or the stream has ended. */
  close(): void;
}

/** The refusal of a call about which it is not known whether its caller may still make it. */
export const callAgain = (): ServiceError =>
  new ServiceError(
    service_errors.storage_busy,
    "The service does not know whether this call is still allowed.",
    {
      retry_after_seconds: 1,
    },
  );

/** What `run` returns or throws, or else the refusal of its call if there is one: a wait that it ends may throw something of its own. */
export async function unlessEnded<Result>(
  open: Pick<OpenCall, "check">,
  run: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await run();
  } finally {
    await open.check();
  }
}

/** Runs `open`, and closes `call` if it fails. */
export async function closingOnFailure<Opened>(
  call: Pick<OpenCall, "close">,
  open: () => Promise<Opened>,
): Promise<Opened> {
  try {
    return await open();
  } catch (error) {
    call.close();
    throw error;
  }
}

/** `topics`: what the call waits for. */
type RefusalFor = (caller: OpenCaller, topics: readonly string[]) => ServiceError | null;

const no_topics: readonly string[] = [];

class Entry implements OpenCall {
  readonly #controller = new AbortController();
  /** The topics that it waits for. */
  topics = no_topics;
  #refusal: ServiceError | undefined;
  timed_out = false;

  constructor(
    readonly caller: OpenCaller,
    private readonly decided: () => Promise<unknown> | undefined,
    private readonly onClose: () => void,
    private readonly onFollow: OpenCall["follow"],
  ) {}

  follow(topics: readonly string[]): void {
    // Most calls begin one wait.
    this.topics = this.topics === no_topics ? topics : [...new Set([...this.topics, ...topics])];
    this.onFollow(topics);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Ends the call: with a refusal, or because its caller has left. */
  end = (refusal?: ServiceError): void => {
    this.#refusal = refusal;
    this.#controller.abort();
  };

  async check(): Promise<void> {
    await this.decided();
    if (this.#refusal) throw this.#refusal;
  }

  close(): void {
    this.onClose();
  }
}

export class OpenCalls {
  readonly #open = new Set<Entry>();
  /** Refusals that are not decided yet. */
  readonly #deciding = new Set<Promise<void>>();
  readonly #decided = () => (this.#deciding.size > 0 ? Promise.allSettled(this.#deciding) : undefined);

  /**
   * Adds a call until its `close`, which calls `onClose`. `left` is aborted when the caller has left. `follow`: called with the
   * topics that it waits for.
   */
  add(
    caller: OpenCaller,
    onClose: () => void,
    left?: AbortSignal,
    follow: OpenCall["follow"] = () => {},
  ): OpenCall {
    const leave = () => entry.end();
    const closed = () => {
      if (!this.#open.delete(entry)) return;
      left?.removeEventListener("abort", leave);
      onClose();
    };
    const entry = new Entry(caller, this.#decided, closed, follow);
    this.#open.add(entry);
    if (left?.aborted) leave();
    left?.addEventListener("abort", leave);
    return entry;
  }

  /** How many calls have such a caller. */
  count(is_counted: (caller: OpenCaller) => boolean): number {
    let count = 0;
    for (const { caller } of this.#open) if (is_counted(caller)) count++;
    return count;
  }

  /** Ends the calls for whose callers `refusalFor` returns an error. */
  refuse(refusalFor: RefusalFor): void {
    for (const entry of this.#open) {
      const refusal = refusalFor(entry.caller, entry.topics);
      if (refusal) entry.end(refusal);
    }
  }

  /**
   * Returns what to do at each invalidation (null: anything may have changed): it ends the calls of what has ended. `topics`: how
   * the topic begins that ends with the id of that; `idOf`: its id in a caller, null if it has none.
   */
  endedBy(topics: string, idOf: (caller: OpenCaller) => string | null, refusal: () => ServiceError) {
    return (topic: string | null): void => {
      if (topic === null) this.refuse((caller) => (idOf(caller) === null ? null : callAgain()));
      if (!topic?.startsWith(topics)) return;
      const ended = topic.slice(topics.length);
      this.refuse((caller) => (idOf(caller) === ended ? refusal() : null));
    };
  }

  /**
   * As `refuse`, as soon as it is known whom to refuse. No call is answered meanwhile: the change that refuses it may also be what it
   * has waited for. If that cannot be found out, all calls end.
   */
  refuseLater(deciding: Promise<RefusalFor>): Promise<void> {
    const refusing = deciding
      .then(
        (refusalFor) => this.refuse(refusalFor),
        (error: unknown) => {
          this.refuse(callAgain);
          throw error;
        },
      )
      .finally(() => this.#deciding.delete(refusing));
    this.#deciding.add(refusing);
    return refusing;
  }
}
