/** The main thread's side of the writer thread: collects writes into groups, sends them, and answers them. */

import type { Log } from "../../core/log.ts";
import { systemClock } from "../../core/clock.ts";
import { ServiceError } from "../../core/errors.ts";
import { service_errors } from "../../core/general_errors.ts";
import type { Meter } from "../../core/meter.ts";
import type { Place, Written } from "../../core/storage.ts";
import { storage_limits } from "../limits.ts";
import type { DiskLimits } from "./disk_budget.ts";
import type { GroupOutcome, WriteRequest, WriteState } from "./group_commit.ts";
import type { Health } from "./health.ts";
import type { Identity } from "./identity.ts";
import { countsWrites, outcomeOfError, outcomeOfResult, type CountWrites } from "../write_metrics.ts";
import { failureFromThread } from "./thread_failure.ts";
import type { FromWriter, ToWriter } from "./worker_loop.ts";

interface WriterThreadOptions {
  /** The database file. */
  file: string;
  disk: DiskLimits | undefined;
  /** Whether to take a database in another place for the original. */
  is_moved: boolean;
  /** Starts a worker that runs `serveWrites`. */
  start: () => Worker;
  log: Log;
  health: Health;
  meter: Meter;
  /** Called with each changed topic before its write is answered; with null if anything may have changed. */
  announce(topic: string | null): void;
}

/** Most groups sent to the writer and not answered: one in progress, and one to start without a pause. */
const groups_max = 2;

/** How long `probe` waits for the writer. */
const probe_seconds_max = 2;
const { stopping, storage_busy, storage_failed } = service_errors;
const late: WriteState = { code: storage_busy.code, reason: "The writer has not answered." };

interface Pending {
  request: WriteRequest;
  resolve(written: Written<unknown>): void;
  reject(error: unknown): void;
}

export class WriterThread {
  /** Null if nobody reads the metrics. */
  readonly #countGroup: CountWrites | null;
  /** Undefined after the thread broke, until the next write. */
  #worker: Worker | undefined;
  #outgoing: Pending[] = [];
  /** The groups sent to the writer and not answered, in the order of the answers. */
  #groups: Pending[][] = [];
  /** Number of writes in the last two groups. */
  #recent_writes = 0;
  #last_group_size = 0;
  #is_gathering = false;
  /** Resolves when the writer has reported whether writes work; undefined while no `probe` waits. */
  #probing: (PromiseWithResolvers<void> & { cancel: () => void }) | undefined;
  #is_closing = false;
  #closed: (() => void) | undefined;

  constructor(private readonly options: WriterThreadOptions) {
    this.#countGroup = countsWrites(options.meter);
    options.meter.reading(
      { name: "wharf_writes_waiting", type: "gauge", help: "Writes that are not answered yet." },
      () => this.#pendingCount(),
    );
  }

  /** Starts the thread. Resolves to what it has opened, once its schema is up to date. */
  start(): Promise<{ identity: Identity; copied_to: Place | null }> {
    return new Promise((resolve, reject) => {
      const worker = this.options.start();
      let has_opened = false;
      const lose = (reason: string) => {
        if (this.#worker !== worker) return;
        this.#loseWriter();
        reject(new Error(reason));
        if (has_opened) this.options.log.error("storage.writer_lost", { error: reason });
      };
      worker.onmessage = (event: MessageEvent<string>) => {
        // Ignore late messages from a worker that we have abandoned.
        if (this.#worker !== worker) return;
        const message = JSON.parse(event.data) as FromWriter;
        if ("replies" in message) this.#groupDone(message);
        else if ("probed" in message) this.#probed(message.probed);
        else if ("is_disk_over" in message) this.options.health.noteDisk(message.is_disk_over, message.use);
        else if ("is_log_held" in message)
          this.options.health.noteLog(message.is_log_held, message.log_bytes);
        else if ("opened" in message) {
          has_opened = true;
          resolve(message);
        } else if ("refused" in message) lose(message.refused);
        else if ("closed" in message) this.#closed?.();
        else this.options.log.error("storage.chore_broke", { error: message.chore_error });
      };
      worker.onerror = (event) => lose(event.message);
      worker.addEventListener("close", () => lose("The writer's thread ended."));
      this.#worker = worker;
      this.#post({ open: this.options.file, disk: this.options.disk, is_moved: this.options.is_moved });
    });
  }

  /** Notes whether a backup needs the log. */
  holdLog(is_held: boolean): void {
    this.#post({ hold_log: is_held });
  }

  #post(message: ToWriter): void {
    this.#worker?.postMessage(JSON.stringify(message));
  }

  /** Runs a write. Throws `stopping`, `storage_busy`, or the ServiceError of the command. */
  write(request: WriteRequest): Promise<Written<unknown>> {
    if (this.#is_closing) return Promise.reject(new ServiceError(stopping, "The service is stopping."));
    if (this.#pendingCount() >= storage_limits.writes_waiting_max) {
      return Promise.reject(
        new ServiceError(storage_busy, "Too many writes are waiting.", { retry_after_seconds: 1 }),
      );
    }
    return new Promise((resolve, reject) => {
      this.#outgoing.push({ request, resolve, reject });
      this.#sendSoon();
    });
  }

  /** Number of writes that are not answered yet. */
  #pendingCount(): number {
    return this.#groups.reduce((count, group) => count + group.length, this.#outgoing.length);
  }

  /**
   * Schedules a send: at once if the outgoing group has a third of the writes of the last two groups, else after
   * `write_gather_ms`. Under load the writer then mostly has two groups, and a lone write does not wait. Small groups wait
   * because more writes are coming, and each group costs an fsync and CPU time that reads need.
   */
  #sendSoon(): void {
    if (this.#groups.length === groups_max) return;
    if (this.#outgoing.length * 3 >= this.#recent_writes) queueMicrotask(() => this.#send());
    else if (!this.#is_gathering) {
      this.#is_gathering = true;
      // Real time, in tests too: the other writes come from sockets.
      systemClock.after(storage_limits.write_gather_ms, () => {
        this.#is_gathering = false;
        this.#send();
      });
    }
  }

  /** Sends the outgoing writes as one group, unless the writer has two already: groups grow with the load. */
  #send(): void {
    if (this.#groups.length === groups_max) return;
    if (this.#outgoing.length === 0) {
      if (this.#closed && this.#groups.length === 0) this.#post({ close: true });
      return;
    }
    if (!this.#worker) this.#restart();
    const group = this.#outgoing.splice(0, storage_limits.write_group_max);
    this.#groups.push(group);
    this.#recent_writes = this.#last_group_size + group.length;
    this.#last_group_size = group.length;
    this.#post({ writes: group.map(({ request }) => request) });
  }

  #restart(): void {
    this.start().catch((error: unknown) => {
      this.options.log.error("storage.no_writer", { error: String(error) });
      this.#loseWriter();
    });
  }

  #groupDone(outcome: GroupOutcome): void {
    const { replies, changed, refused_because } = outcome;
    const group = this.#groups.shift()!;
    // Send the next group before answering this one, so that both threads work at the same time.
    if (this.#closed) this.#send();
    else if (this.#outgoing.length > 0) this.#sendSoon();
    this.options.health.noteWrites(refused_because ?? null);
    for (const topic of changed) this.options.announce(topic);
    for (const [i, reply] of replies.entries()) {
      if (reply.failure)
        group[i]!.reject(
          failureFromThread(reply.failure, "A command failed unexpectedly.", this.options.health),
        );
      else group[i]!.resolve(reply);
    }
    this.#countGroup?.(
      replies.map((reply, i) => ({
        name: group[i]!.request.name,
        outcome: reply.failure ? outcomeOfError(reply.failure.definition) : outcomeOfResult(reply),
      })),
      outcome.commit_ms,
    );
  }

  /** Reports to `health` whether writes work: `storage_busy` if the writer does not answer in time. */
  probe(): Promise<void> {
    if (!this.#probing) {
      const cancel = systemClock.after(probe_seconds_max * 1000, () => this.#probed(late));
      this.#probing = { ...Promise.withResolvers(), cancel };
      if (!this.#worker) this.#restart();
      this.#post({ probe: true });
    }
    return this.#probing.promise;
  }

  #probed(state: WriteState): void {
    if (!this.#probing) return;
    this.options.health.noteWrites(state);
    this.#probing.cancel();
    this.#probing.resolve();
    this.#probing = undefined;
  }

  /** Rejects all pending writes after the writer thread broke. The next write starts another thread. */
  #loseWriter(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#probed({ code: storage_failed.code, reason: "The writer is lost." });
    // Some of its writes may be durable although it has not answered them.
    this.options.announce(null);
    for (const { reject } of [...this.#groups.flat(), ...this.#outgoing]) {
      reject(new ServiceError(storage_failed, "The writer had to be restarted.", { retry_after_seconds: 1 }));
    }
    this.#groups = [];
    this.#outgoing = [];
    this.#closed?.();
  }

  /**
   * Refuses new writes, finishes those in progress, and closes the thread's connection after `others` are closed. Returns
   * whether the thread could close it.
   */
  async close(others: Promise<void>): Promise<boolean> {
    this.#is_closing = true;
    await others;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#closed = resolve;
    if (this.#worker) this.#send();
    else resolve();
    await promise;
    const worker = this.#worker;
    this.#worker = undefined;
    worker?.terminate();
    return worker !== undefined;
  }
}
