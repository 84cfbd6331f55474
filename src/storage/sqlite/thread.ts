/** The writer's thread: commits each group of writes, answers it, and does the chores when the writes rest, or now and then. */

import type { Clock } from "../../clock.ts";
import { errorText } from "../../log.ts";
import type { Acts, Chore } from "../port.ts";
import type { Identity } from "./identity.ts";
import { Writer, type GroupOutcome, type WriteRequest, type WriteState } from "./writer.ts";

/** What the house tells the thread. */
export type ToThread =
  | { open: string }
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
  /** A chore broke in a way that nobody expected: its stack. */
  | { chore_broke: string }
  | { closed: true };

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

/** Serves writes on `port`, one group a message, until it is told to close. */
export function serveWrites(
  port: { onmessage: ((event: MessageEvent) => void) | null; postMessage(message: unknown): void },
  acts: Acts,
  chores: Chore[],
  clock: Clock,
): void {
  const tell = (message: FromThread) => port.postMessage(JSON.stringify(message));
  let writer: Writer | undefined;
  let groups_since_chores = 0;
  let is_behind = false;
  let cancelChores = () => {};
  /** What the latest write or probe found, and when. */
  let state: WriteState = null;
  let state_since_ms = 0;
  let is_log_held = false;
  let cancelLog = () => {};

  function open(file: string): void {
    try {
      writer = Writer.open(file, acts, clock);
      tell({ opened: true, identity: writer.identity });
      choresAfter(rest_ms);
    } catch (error) {
      tell({ refused: error instanceof Error ? error.message : String(error) });
    }
  }

  // Acts and chores await nothing but the writer's connection: each ends before the next message is looked at.
  async function commit(group: WriteRequest[]): Promise<void> {
    cancelChores();
    const outcome = await writer!.commit(group);
    tell(outcome);
    state = outcome.refused_because ?? null;
    state_since_ms = clock.now();
    writer!.checkpoints.afterGroup();
    noteLog();
    const turn_after = is_behind ? groups_before_chores.behind : groups_before_chores.keeping_up;
    if (++groups_since_chores >= turn_after) await doChores();
    else choresAfter(rest_ms);
  }

  function choresAfter(delay_ms: number): void {
    cancelChores = clock.after(delay_ms, () => void doChores());
  }

  async function doChores(): Promise<void> {
    groups_since_chores = 0;
    is_behind = false;
    try {
      for (const chore of chores) if (await writer!.runChore(chore)) is_behind = true;
      if (is_behind) choresAfter(0);
    } catch (error) {
      tell({ chore_broke: errorText(error) });
    }
  }

  /** Says when a reader begins to keep the log from being reset and when that is over, and tries again meanwhile. */
  function noteLog(): void {
    const { is_held, log_bytes } = writer!.checkpoints;
    if (is_held === is_log_held) return;
    is_log_held = is_held;
    tell({ is_log_held, log_bytes });
    if (is_held) tryLogAgain();
  }

  function tryLogAgain(): void {
    cancelLog = clock.after(log_every_ms, () => {
      writer!.checkpoints.bound();
      noteLog();
      if (is_log_held) tryLogAgain();
    });
  }

  function look(): void {
    // A clock that was set back makes what is known older, not younger.
    const age_ms = Math.abs(clock.now() - state_since_ms);
    if (age_ms >= (state === null ? trust_ms : probe_every_ms)) {
      state = writer!.probe();
      state_since_ms = clock.now();
    }
    tell({ looked: state });
  }

  // Chores can wait for the next start; whoever stops the service does not wait for them.
  function close(): void {
    cancelChores();
    cancelLog();
    writer?.close();
    writer = undefined;
    tell({ closed: true });
  }

  port.onmessage = (event) => {
    const message = JSON.parse(event.data as string) as ToThread;
    if ("open" in message) open(message.open);
    else if ("writes" in message) void commit(message.writes);
    else if ("look" in message) look();
    else close();
  };
}
