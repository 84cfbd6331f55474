/** The writer's thread: takes whatever writes have arrived, commits them as one group, answers, then does the chores. */

import { limits } from "../../limits.ts";
import type { Acts, Chore } from "../port.ts";
import { Writer, type GroupOutcome, type WriteRequest } from "./writer.ts";

/** What the house tells the thread. */
export type ToThread = { open: string } | { writes: WriteRequest[] } | { close: true };

/** What the thread tells the house. */
export type FromThread =
  | { opened: true }
  | { refused: string }
  | GroupOutcome
  /** A chore broke in a way that nobody expected: its stack. */
  | { chore_broke: string }
  | { closed: true };

/** Groups after which the chores get a turn although more writes are waiting. */
const groups_before_chores = 32;

/** Serves writes on `port` until it is told to close. */
export function serveWrites(
  port: { onmessage: ((event: MessageEvent) => void) | null; postMessage(message: unknown): void },
  acts: Acts,
  chores: Chore[],
): void {
  const tell = (message: FromThread) => port.postMessage(message);
  let writer: Writer | undefined;
  let waiting: WriteRequest[] = [];
  let chores_due = false;
  let groups = 0;
  let running = false;
  let closing = false;

  function open(file: string): void {
    try {
      writer = Writer.open(file, acts);
      chores_due = true;
      tell({ opened: true });
      wake();
    } catch (error) {
      tell({ refused: error instanceof Error ? error.message : String(error) });
    }
  }

  // A turn of the event loop lies between two groups, so that all writes that arrived meanwhile join the next one.
  function wake(): void {
    if (running) return;
    running = true;
    setImmediate(turn);
  }

  async function turn(): Promise<void> {
    if (waiting.length > 0) {
      const group = waiting.slice(0, limits.write_group_max);
      waiting = waiting.slice(limits.write_group_max);
      tell(await writer!.commit(group));
      writer!.checkpoint();
      chores_due = true;
      groups++;
    }
    // Chores can wait for the next start; whoever stops the service does not wait for them.
    if (closing) chores_due = false;
    if (chores_due && (waiting.length === 0 || groups % groups_before_chores === 0)) await doChores();
    running = false;
    if (waiting.length > 0 || chores_due) wake();
    else if (closing) close();
  }

  async function doChores(): Promise<void> {
    chores_due = false;
    try {
      for (const chore of chores) if (await writer!.runChore(chore)) chores_due = true;
    } catch (error) {
      tell({ chore_broke: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  }

  function close(): void {
    writer?.close();
    writer = undefined;
    tell({ closed: true });
  }

  port.onmessage = (event) => {
    const message = event.data as ToThread;
    if ("open" in message) open(message.open);
    else if ("writes" in message) {
      waiting.push(...message.writes);
      wake();
    } else {
      closing = true;
      if (writer) wake();
      else close();
    }
  };
}
