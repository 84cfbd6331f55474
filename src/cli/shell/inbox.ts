/** `wharf inbox`: the mailbox of a claimed name. */

import { Command } from "commander";
import { orThrow, type Schemas } from "../../client/client.ts";
import { wholeNumber } from "./arguments.ts";
import { keyedCommand, type ShellContext } from "./shell_command.ts";
import { noteLines } from "./texts.ts";
import { waitFor, wait_option, type Wait } from "./waiting.ts";

export const inboxCommand = keyedCommand(
  () =>
    new Command("inbox")
      .description("read the unread notes of the mailbox, or those after one")
      .option("--since <seq>", "the seq of the last note that was read; 0 is the beginning", wholeNumber)
      .option(...wait_option, wholeNumber)
      .option("--follow", "continue with what comes")
      .option("--ack", "mark what is shown as read"),
  ["wharf inbox --ack", "wharf inbox --since 0 --as ada", "wharf inbox --wait 2"],
  async (
    shell,
    { since, wait, follow, ack }: { since?: number; wait?: Wait; follow?: boolean; ack?: boolean },
  ) => {
    const show = async (notes: Schemas["Note"][]): Promise<void> => {
      for (const note of notes) shell.show(note, noteLines(note));
      const through = notes.at(-1)?.seq;
      if (ack && through !== undefined) {
        await orThrow(shell.client.post("/api/mailbox/ack", { body: { through } }));
      }
    };
    /** Shows the notes that come after those. Ends after the first one, unless it follows. Resumes after the service restarts. */
    const showComing = async (query: { since: number }, signal?: AbortSignal): Promise<boolean> => {
      const call = { query, ...(signal && { signal }) };
      for await (const { data } of shell.client.follow("/api/mailbox/stream", call)) {
        await show([data]);
        if (!follow) return true;
      }
      return false;
    };
    const { notes, next_since } = await newNotes(shell, since);
    await show(notes);
    const query = { since: next_since };
    if (follow) await showComing(query);
    else if (wait !== undefined && notes.length === 0) {
      await waitFor(shell, wait, (signal) => showComing(query, signal));
    }
  },
);

/** All notes after `since`; without it, those that are unread. */
async function newNotes(shell: ShellContext, since: number | undefined) {
  const notes: Schemas["Note"][] = [];
  let next_since = since ?? 0;
  for (;;) {
    const query = { since: next_since, limit: 1000 };
    const page = await orThrow(shell.client.get("/api/mailbox", { query }));
    notes.push(...page.notes.filter(({ unread }) => unread || since !== undefined));
    next_since = page.next_since;
    if (page.next === null) return { notes, next_since };
  }
}
