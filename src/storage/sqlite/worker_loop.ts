/**
 * The loop of the writer thread: commits each group of writes and answers it, then runs checkpoints. Runs the chores while
 * no writes come, and at the latest after a number of groups.
 */

import { service_errors } from "../../core/general_errors.ts";
import type { Clock } from "../../core/clock.ts";
import { ServiceError } from "../../core/errors.ts";
import { limits } from "../../core/limits.ts";
import { errorText, explained } from "../../core/log.ts";
import type { CommandMap, Chore, Place } from "../../core/storage.ts";
import { DiskBudget, type DiskLimits, type DiskUse } from "./disk_budget.ts";
import type { Identity } from "./identity.ts";
import { TransactionRunner, type GroupOutcome, type WriteRequest, type WriteState } from "./group_commit.ts";

/** Messages to the writer thread. */
export type ToWriter =
  | { open: string; disk?: DiskLimits | undefined; is_moved?: boolean }
  | { writes: WriteRequest[] }
  /** Asks whether writes work. */
  | { probe: true }
  /** Whether a backup needs the log. */
  | { hold_log: boolean }
  | { close: true };

/** Messages from the writer thread. */
export type FromWriter =
  | { opened: true; identity: Identity; copied_to: Place | null }
  | { refused: string }
  | GroupOutcome
  /** Whether writes work. */
  | { probed: WriteState }
  /** Whether a reader blocks the reset of a log that is over its bound. */
  | { is_log_held: boolean; log_bytes: number }
  /** Whether the disk budget is reached. */
  | { is_disk_over: boolean; use: DiskUse }
  /** The stack of an unexpected error in a chore. */
  | { chore_error: string }
  | { closed: true };

/** Whether the command `name` may run while the disk budget is reached: always, until the reserve is used up, or never. */
type OverBudgetPolicy = (name: string) => "always" | "reserve" | "never";

/**
 * Groups after which chores run even if writes keep coming. A run delays the writes and does a bounded amount of work. If
 * the chores fall behind, they run less often: they catch up when no writes come, or when a search indexes the rest.
 */
const groups_before_chores = { keeping_up: 64, behind: 256 };
/**
 * The least number of writes before that. Groups of a single writer have one write each: with this number, fewer than one in a
 * hundred waits for chores. It is less than a run indexes, so that the chores do not fall behind.
 */
const writes_before_chores = limits.index_chunk_posts - 10;
/** How long no write must come before chores run: a chore costs an fsync, which a new write would wait for. */
const rest_ms = 20;
/** How long after a successful write a probe is not needed. */
const trust_ms = 5_000;
/** How long the result of a failed probe is reused. */
const probe_every_ms = 1_000;
/** How often to try again to reset a log that a reader blocks. */
const log_every_ms = 1_000;

const over_budget = new ServiceError(
  service_errors.disk_budget,
  "The operator's limit for stored data is reached.",
  {
    hint: "Reading goes on, and so does what takes something back. Try again later.",
    retry_after_seconds: 60,
  },
);

/** Writes could use the free pages, but the directory would stay larger than it must, and a migration leaves texts in them. */
const givePagesBack: Chore = async (tx) => (await tx.giveBack()).more;

interface Port {
  onmessage: ((event: MessageEvent) => void) | null;
  postMessage(message: unknown): void;
}

/** Serves writes on `port`, one group for each message, until the `close` message. */
export function serveWrites(
  port: Port,
  commands: CommandMap,
  chores: Chore[],
  clock: Clock,
  overBudget: OverBudgetPolicy = () => "never",
): void {
  let loop: WriterLoop | undefined;
  const post = (message: FromWriter) => port.postMessage(JSON.stringify(message));

  function open(
    file: string,
    disk: DiskLimits = { max_bytes: 0, min_free_bytes: 0 },
    is_moved = false,
  ): void {
    try {
      const runner = TransactionRunner.open(file, commands, clock, is_moved);
      const { identity, copied_to } = runner;
      post({ opened: true, identity, copied_to });
      const budget = new DiskBudget(file, disk, clock);
      loop = new WriterLoop(runner, budget, { chores, clock, post, overBudget });
    } catch (error) {
      post({ refused: explained(error) });
    }
  }

  port.onmessage = (event) => {
    const message = JSON.parse(event.data as string) as ToWriter;
    if ("open" in message) open(message.open, message.disk, message.is_moved);
    else if ("writes" in message) void loop!.commit(message.writes);
    else if ("probe" in message) loop!.probe();
    else if ("hold_log" in message) loop!.holdLog(message.hold_log);
    else {
      loop?.close();
      post({ closed: true });
    }
  };
}

interface LoopDeps {
  chores: Chore[];
  clock: Clock;
  post(message: FromWriter): void;
  overBudget: OverBudgetPolicy;
}

class WriterLoop {
  #groups_since_chores = 0;
  #writes_since_chores = 0;
  #is_behind = false;
  #cancelChores = () => {};
  /** The result of the latest write or probe, and its monotonic time. */
  #state: WriteState = null;
  #state_since_ms = Number.NEGATIVE_INFINITY;
  #is_log_held = false;
  #cancelLog = () => {};
  #erases_again = false;
  #cancelErasing = () => {};
  /** Whether free pages are given back once the chores have no more to do: after a start, which may have migrated. */
  #gives_back = true;
  /** Null until the disk has been measured. */
  #is_disk_over: boolean | null = null;

  constructor(
    private readonly runner: TransactionRunner,
    private readonly budget: DiskBudget,
    private readonly deps: LoopDeps,
  ) {
    this.#measureDisk();
    this.#choresAfter(rest_ms);
  }

  // Commands and chores await nothing but the connection, so a group ends before the next message is handled.
  async commit(group: WriteRequest[]): Promise<void> {
    this.#cancelChores();
    this.#measureDisk();
    const outcome = await this.runner.commit(group, this.#refusal());
    this.deps.post(outcome);
    this.#state = outcome.refused_because ?? null;
    this.#state_since_ms = this.deps.clock.monotonic();
    this.#checkpoint();
    this.#groups_since_chores++;
    this.#writes_since_chores += group.length;
    if (this.#areChoresDue()) await this.#doChores();
    else this.#choresAfter(rest_ms);
  }

  #areChoresDue(): boolean {
    const groups = this.#is_behind ? groups_before_chores.behind : groups_before_chores.keeping_up;
    return this.#groups_since_chores >= groups && this.#writes_since_chores >= writes_before_chores;
  }

  /** The function that refuses commands while the disk budget is reached; undefined while it is not reached. */
  #refusal(): ((name: string) => ServiceError | null) | undefined {
    const { level } = this.budget;
    if (level === "within") return undefined;
    return (name) => {
      const allowed = this.deps.overBudget(name);
      return allowed === "always" || (allowed === "reserve" && level === "over") ? null : over_budget;
    };
  }

  /** Measures the disk if the last measurement is stale. If the files leave no room, truncates the log and measures again. */
  #measureDisk(): void {
    const budget = this.budget;
    if (!budget.is_stale) return;
    try {
      budget.measure(this.runner.databaseSize());
      if (budget.is_tight && this.runner.checkpoints.empty()) budget.measure(this.runner.databaseSize());
    } catch (error) {
      // Keep the last measurement; the next writes report what is wrong with the disk.
      this.deps.post({ chore_error: errorText(error) });
    }
    const is_disk_over = budget.level !== "within";
    if (is_disk_over === this.#is_disk_over) return;
    this.#is_disk_over = is_disk_over;
    this.deps.post({ is_disk_over, use: budget.use });
  }

  #checkpoint(): void {
    this.budget.grew(this.runner.checkpoints.afterGroup());
    this.#reportLog();
  }

  /** Reports when a reader begins and stops to block the reset of the log. Tries again while it is blocked. */
  #reportLog(): void {
    const { is_held, log_bytes } = this.runner.checkpoints;
    if (is_held === this.#is_log_held) return;
    this.#is_log_held = is_held;
    this.deps.post({ is_log_held: is_held, log_bytes });
    if (is_held) this.#tryLogAgain();
  }

  #tryLogAgain(): void {
    this.#cancelLog = this.deps.clock.after(log_every_ms, () => {
      this.runner.checkpoints.bound();
      this.#reportLog();
      if (this.#is_log_held) this.#tryLogAgain();
    });
  }

  /** Truncates a log that may hold erased text. Tries again every second while a reader blocks it. */
  #eraseLog(): void {
    if (this.#erases_again || this.runner.checkpoints.erase()) return;
    this.#erases_again = true;
    this.#cancelErasing = this.deps.clock.after(log_every_ms, () => {
      this.#erases_again = false;
      this.#eraseLog();
    });
  }

  #choresAfter(delay_ms: number): void {
    this.#cancelChores = this.deps.clock.after(delay_ms, () => void this.#doChores());
  }

  async #doChores(): Promise<void> {
    this.#groups_since_chores = 0;
    this.#writes_since_chores = 0;
    this.#is_behind = false;
    this.#measureDisk();
    try {
      this.#eraseLog();
      for (const chore of this.deps.chores) {
        // Most chores grow the search index.
        if (this.#is_disk_over && !chore.frees_space) continue;
        if (await this.runner.runChore(chore)) this.#is_behind = true;
      }
      if (this.budget.is_tight || (this.#gives_back && !this.#is_behind)) {
        this.#gives_back = await this.runner.runChore(givePagesBack);
        this.#is_behind ||= this.#gives_back;
      }
      this.#checkpoint();
      if (this.#is_behind) this.#choresAfter(0);
    } catch (error) {
      this.deps.post({ chore_error: errorText(error) });
    }
  }

  /** Reports whether writes work: the state of the latest write, or a new probe if that is too old. */
  probe(): void {
    this.#measureDisk();
    const age_ms = this.deps.clock.monotonic() - this.#state_since_ms;
    if (age_ms >= (this.#state === null ? trust_ms : probe_every_ms)) {
      this.#state = this.runner.probe();
      this.#state_since_ms = this.deps.clock.monotonic();
    }
    this.deps.post({ probed: this.#state });
  }

  /** Notes whether a backup needs the log. */
  holdLog(is_held: boolean): void {
    this.runner.checkpoints.is_needed = is_held;
    if (!is_held) this.#checkpoint();
  }

  /** Closes the database without running the chores: the next start runs them. */
  close(): void {
    this.#cancelChores();
    this.#cancelLog();
    this.#cancelErasing();
    this.runner.close();
  }
}
