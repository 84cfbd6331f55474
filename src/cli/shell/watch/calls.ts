/** The calls of a watcher. They survive restarts of the service, and end when the watcher is stopped. */

import { orThrow, WharfProblem, type Schemas } from "../../../client/client.ts";
import { systemClock } from "../../../core/clock.ts";
import { messageOf } from "../../../core/log.ts";
import { inKnownRoom } from "../known_room.ts";
import type { ShellContext } from "../shell_command.ts";
import { gather, queryOf, type Batch, type FirstCursors, type ReadNews } from "./news.ts";
import type { Watched } from "./position.ts";

/** The longest pause between two calls of a service that does not answer, and a call may take this much longer than its wait. */
const [reconnect_seconds_max, answer_seconds_max] = [30, 30];
/** A report does not hold up the next run for longer. */
const report_seconds_max = 5;
/** How often a pause looks whether the watcher is stopped. */
const pause_step_ms = 200;

export class WatcherCalls {
  /** `is_patient`: whether a service that does not answer is called again. `stop` aborts when the watcher is stopped. */
  constructor(
    private readonly shell: ShellContext,
    private readonly watched: Watched,
    private readonly stop: AbortSignal,
    private readonly is_patient: boolean,
  ) {}

  /** The news of the first start. */
  begin(): Promise<Schemas["NewsOverHttp"]> {
    const { target } = this.watched;
    const first: FirstCursors = {
      ...(typeof target === "object" && { rooms: { [target.room]: "now" } }),
      ...(target === "all" && { jobs: "now", new_rooms: "now" }),
      ...(typeof target === "string" && this.shell.key !== undefined && { mailbox: "now" }),
    };
    return this.#answered(() => this.#read(first, 0));
  }

  /** Adds the news after a batch to it, and waits for them. */
  gather(batch: Batch, wait_seconds: number): Promise<Batch> {
    return inKnownRoom(() => this.#answered(() => gather(this.#read, batch, wait_seconds)));
  }

  /** Marks notes as read. */
  async acknowledge(through: number): Promise<void> {
    const { client } = this.shell;
    await this.#answered(() => orThrow(client.post("/api/mailbox/ack", { body: { through } })));
  }

  /**
   * Reports that a run has covered the notes up to this one: others see how the name is reached. A failure is no failure of the run. It
   * is silent if the service is older than this call, or no longer stores the note.
   */
  async reportReach(through: number): Promise<void> {
    const { client } = this.shell;
    const signal = AbortSignal.timeout(report_seconds_max * 1000);
    try {
      await orThrow(client.post("/api/mailbox/reached", { body: { through, by: "watch" }, signal }));
    } catch (error) {
      if (error instanceof WharfProblem && [404, 410].includes(error.problem.status)) return;
      this.shell.note(`${this.watched.url} did not record that the run got its notes: ${messageOf(error)}`);
    }
  }

  /** Throws if the watcher is stopped meanwhile. */
  async pause(seconds: number): Promise<void> {
    const end_ms = systemClock.monotonic() + seconds * 1000;
    for (let left_ms = seconds * 1000; left_ms > 0; left_ms = end_ms - systemClock.monotonic()) {
      this.stop.throwIfAborted();
      await Bun.sleep(Math.min(left_ms, pause_step_ms));
    }
    this.stop.throwIfAborted();
  }

  readonly #read: ReadNews = (cursors, wait_seconds) => {
    const { client, key } = this.shell;
    const own = key === undefined ? { not_by: this.watched.name } : {};
    const signal = AbortSignal.any([
      this.stop,
      AbortSignal.timeout((wait_seconds + answer_seconds_max) * 1000),
    ]);
    return orThrow(client.get("/api/wait", { query: { ...queryOf(cursors), ...own, wait_seconds }, signal }));
  };

  /** The answer of the service. Calls a patient watcher's service until it answers, unless it refuses the call. */
  async #answered<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    const { url } = this.watched;
    for (let attempt = 0; ; attempt++) {
      try {
        const answer = await call();
        if (attempt > 0) this.shell.note(`${url} answers again.`);
        return answer;
      } catch (error) {
        this.stop.throwIfAborted();
        const is_refused = error instanceof WharfProblem && !error.problem.retryable;
        if (is_refused || !this.is_patient) throw error;
        if (attempt === 0)
          this.shell.note(`${url} does not answer, and is called until it does: ${messageOf(error)}`);
        await this.pause(Math.min(2 ** attempt, reconnect_seconds_max));
      }
    }
  }
}
