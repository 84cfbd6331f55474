/** `wharf inbox`: the mailbox of a claimed name. */

import { Command, Option } from "commander";
import { orThrow, type Schemas } from "../../client/client.ts";
import { wholeNumber } from "./arguments.ts";
import type { ConnectionOptions } from "./connection.ts";
import { hosts } from "./hooks/hosts.ts";
import { answerInboxHook } from "./hooks/inbox_hook.ts";
import { notesAfter } from "./notes.ts";
import { callingWithKey, clientCommand } from "./shell_command.ts";
import { noteLines } from "./texts.ts";
import { waitFor, wait_option, type Wait } from "./waiting.ts";

const readNotes = callingWithKey(
  async (
    shell,
    { since, wait, follow, ack }: { since?: number; wait?: Wait; follow?: boolean; ack?: boolean },
  ) => {
    const print = async (notes: Schemas["Note"][]): Promise<void> => {
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
        await print([data]);
        if (!follow) return true;
      }
      return false;
    };
    const found = await notesAfter(shell, since);
    const notes = found.notes.filter(({ unread }) => unread || since !== undefined);
    await print(notes);
    const query = { since: found.next_since };
    if (follow) await showComing(query);
    else if (notes.length > 0) return;
    else if (wait !== undefined) {
      await waitFor(shell, wait, "no note came", (signal) => showComing(query, signal));
    } else shell.nothing(since === undefined ? "no note is unread." : `no note came after ${since}.`);
  },
);

const hook_option = new Option(
  "--hook <host>",
  "answer a hook of an agent host: say in one line which notes are new",
)
  .choices(Object.keys(hosts))
  .conflicts(["since", "wait", "follow", "ack", "json"]);

export const inboxCommand = clientCommand(
  () =>
    new Command("inbox")
      .description("read the unread notes of the mailbox, or those after one")
      .option("--since <seq>", "the seq of the last note that was read; 0 is the beginning", wholeNumber)
      .option(...wait_option, wholeNumber)
      .option("--follow", "continue with what comes")
      .option("--ack", "mark what is shown as read")
      .addOption(hook_option),
  [
    "wharf inbox --ack",
    "wharf inbox --since 0 --as ada",
    "wharf inbox --wait 2",
    "wharf inbox --hook claude --as ada",
  ],
  async (terminal, given) => {
    const { hook, ...options } = given[0] as ConnectionOptions & { hook?: string };
    if (hook === undefined) await readNotes(terminal, given);
    else await answerInboxHook(hosts[hook]!, options, terminal);
  },
);
