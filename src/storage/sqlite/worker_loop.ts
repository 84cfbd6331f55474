/**
 * The writer's thread: commits each group of writes and answers it; behind the answers it moves the log into the database,
 * and does the chores when the writes rest, or now and then.
 */

import type { Clock } from "../../core/clock.ts";
import { ServiceError } from "../../core/errors.ts";
import { errorText } from "../../core/log.ts";
import type { CommandMap, Chore } from "../../core/storage.ts";
import { DiskBudget, type DiskLimits, type DiskUse } from "./disk_budget.ts";
import type { Identity } from "./identity.ts";
import { Writer, type GroupOutcome, type WriteRequest, type WriteState } from "./group_commit.ts";

/** What the house tells the thread. */
export type ToThread =
  | { open: string; disk?: DiskLimits | undefined }
  | { writes: WriteRequest[] }
  /** Asks for whether writes work. */
  | { look: true }
  | { close: true };

/** What the thread tells the house. */
export type FromThread =
  | { opened: true; identity: Identity }
  | { refused: string }
  | GroupOutcome
  /** Whether writes work. */
  | { looked: WriteState }
  /** Whether a reader keeps a log over its bound from being reset. */
  | { is_log_held: boolean; log_bytes: number }
  /** Whether the disk's budget is reached. */
  | { is_disk_over: boolean; use: DiskUse }
  /** A chore broke in a way that nobody expected: its stack. */
  | { chore_broke: string }
  | { closed: true };

/** Whether an act goes on when the disk's budget is reached: always, until a reserve is spent, or never. */
export type BeyondBudget = (act: string) => "always" | "reserve" | "never";

/**
 * Groups after which the chores get a turn although the writes do not rest. A turn keeps the writes waiting and does a
 * bounded piece of work, so where it is not enough to keep up with them, they get fewer: the rest is done when they rest,
 * or for whoever asks for what it makes (a search indexes what is missing first).
 */
const groups_before_chores = { keeping_up: 64, behind: 256 };
/** How long the writes must rest before the chores begin: a chore costs an fsync, and the next write would wait for it. */
const rest_ms = 20;
/** How long a write that worked shows that writes work. */
const trust_ms = 10_000;
/** How long what a probe found is given again. */
const probe_every_ms = 1_000;
/** How often a log that a reader holds is tried again. */
const log_every_ms = 1_000;

const over_budget = new ServiceError("disk_budget", "The operator's limit for stored data is reached.", {
  hint: "Reading goes on, and so does what takes something back. Try again later.",
  retry_after_seconds: 60,
});

interface Port {
  onmessage: ((event: MessageEvent) => void) | null;
  postMessage(message: unknown): void;
}

/** Serves writes on `port`, one group a message, until it is told to close. */
export function serveWrites(
  port: Port,
  acts: CommandMap,
  chores: Chore[],
  clock: Clock,
  beyondBudget: BeyondBudget = () => "never",
): void {
  let thread: WriterThread | undefined;
  const tell = (message: FromThread) => port.postMessage(JSON.stringify(message));

  function open(file: string, disk: DiskLimits = { max_bytes: 0, min_free_bytes: 0 }): void {
    try {
      const writer = Writer.open(file, acts, clock);
      tell({ opened: true, identity: writer.identity });
      const budget = new DiskBudget(file, disk, clock);
      thread = new WriterThread(writer, budget, { chores, clock, tell, beyondBudget });
    } catch (error) {
      tell({ refused: error instanceof Error ? error.message : String(error) });
    }
  }

  port.onmessage = (event) => {
    const message = JSON.parse(event.data as string) as ToThread;
    if ("open" in message) open(message.open, message.disk);
    else if ("writes" in message) void thread!.commit(message.writes);
    else if ("look" in message) thread!.look();
    else {
      thread?.close();
      tell({ closed: true });
    }
  };
}

interface ThreadDeps {
  chores: Chore[];
  clock: Clock;
  tell(message: FromThread): void;
  beyondBudget: BeyondBudget;
}

class WriterThread {
  readonly #writer: Writer;
  readonly #budget: DiskBudget;
  readonly #deps: ThreadDeps;
  #groups_since_chores = 0;
  #is_behind = false;
  #cancelChores = () => {};
  /** What the latest write or probe found, and when. */
  #state: WriteState = null;
  #state_since_ms = Number.NEGATIVE_INFINITY;
  #is_log_held = false;
  #cancelLog = () => {};
  #erases_again = false;
  #cancelErasing = () => {};
  /** Null until the disk has been measured. */
  #is_disk_over: boolean | null = null;

  constructor(writer: Writer, budget: DiskBudget, deps: ThreadDeps) {
    this.#writer = writer;
    this.#budget = budget;
    this.#deps = deps;
    this.#measureDisk();
    this.#choresAfter(rest_ms);
  }

  // CommandMap and chores await nothing but the writer's connection: each ends before the next message is looked at.
  async commit(group: WriteRequest[]): Promise<void> {
    this.#cancelChores();
    this.#measureDisk();
    const outcome = await this.#writer.commit(group, this.#refusal());
    this.#deps.tell(outcome);
    this.#state = outcome.refused_because ?? null;
    this.#state_since_ms = this.#deps.clock.monotonic();
    this.#tendLog();
    const turn_after = this.#is_behind ? groups_before_chores.behind : groups_before_chores.keeping_up;
    if (++this.#groups_since_chores >= turn_after) await this.#doChores();
    else this.#choresAfter(rest_ms);
  }

  /** The rule that refuses acts while the budget is reached; none while it is not. */
  #refusal(): ((act: string) => ServiceError | null) | undefined {
    const { level } = this.#budget;
    if (level === "within") return undefined;
    return (act) => {
      const goes_on = this.#deps.beyondBudget(act);
      return goes_on === "always" || (goes_on === "reserve" && level === "over") ? null : over_budget;
    };
  }

  /** Looks at the disk if it is time. A log that stands in the way is moved into the database, and cut. */
  #measureDisk(): void {
    const budget = this.#budget;
    if (!budget.is_stale) return;
    try {
      budget.look(this.#writer.databaseBytes());
      if (budget.level !== "within" && this.#writer.checkpoints.empty()) {
        budget.look(this.#writer.databaseBytes());
      }
    } catch (error) {
      // What was measured before holds; the writes that follow say what is wrong with the disk.
      this.#deps.tell({ chore_broke: errorText(error) });
    }
    const is_disk_over = budget.level !== "within";
    if (is_disk_over === this.#is_disk_over) return;
    this.#is_disk_over = is_disk_over;
    this.#deps.tell({ is_disk_over, use: budget.use });
  }

  #tendLog(): void {
    this.#budget.grew(this.#writer.checkpoints.afterGroup());
    this.#noteLog();
  }

  /** Says when a reader begins to keep the log from being reset and when that is over, and tries again meanwhile. */
  #noteLog(): void {
    const { is_held, log_bytes } = this.#writer.checkpoints;
    if (is_held === this.#is_log_held) return;
    this.#is_log_held = is_held;
    this.#deps.tell({ is_log_held: is_held, log_bytes });
    if (is_held) this.#tryLogAgain();
  }

  #tryLogAgain(): void {
    this.#cancelLog = this.#deps.clock.after(log_every_ms, () => {
      this.#writer.checkpoints.bound();
      this.#noteLog();
      if (this.#is_log_held) this.#tryLogAgain();
    });
  }

  /** Empties a log that may hold a text that was destroyed; while a reader is in the way it tries again now and then. */
  #eraseLog(): void {
    if (this.#erases_again || this.#writer.checkpoints.erase()) return;
    this.#erases_again = true;
    this.#cancelErasing = this.#deps.clock.after(log_every_ms, () => {
      this.#erases_again = false;
      this.#eraseLog();
    });
  }

  #choresAfter(delay_ms: number): void {
    this.#cancelChores = this.#deps.clock.after(delay_ms, () => void this.#doChores());
  }

  async #doChores(): Promise<void> {
    this.#groups_since_chores = 0;
    this.#is_behind = false;
    this.#measureDisk();
    try {
      this.#eraseLog();
      // An index grows, too.
      if (this.#is_disk_over) return;
      for (const chore of this.#deps.chores) if (await this.#writer.runChore(chore)) this.#is_behind = true;
      this.#tendLog();
      if (this.#is_behind) this.#choresAfter(0);
    } catch (error) {
      this.#deps.tell({ chore_broke: errorText(error) });
    }
  }

  /** Says whether writes work, by what is known or by a probe. */
  look(): void {
    this.#measureDisk();
    const age_ms = this.#deps.clock.monotonic() - this.#state_since_ms;
    if (age_ms >= (this.#state === null ? trust_ms : probe_every_ms)) {
      this.#state = this.#writer.probe();
      this.#state_since_ms = this.#deps.clock.monotonic();
    }
    this.#deps.tell({ looked: this.#state });
  }

  // Chores can wait for the next start; whoever stops the service does not wait for them.
  close(): void {
    this.#cancelChores();
    this.#cancelLog();
    this.#cancelErasing();
    this.#writer.close();
  }
}
