/** `wharf watch`: runs a command for news in a room, in the mailbox, or everywhere. */

import { Command } from "commander";
import { UsageError } from "../../../core/settings.ts";
import type { Terminal } from "../../terminal.ts";
import { slugIn, wholeNumber } from "../arguments.ts";
import { requireKey, shellCommand, type ShellContext } from "../shell_command.ts";
import { wait_option, waitSeconds, type Wait } from "../waiting.ts";
import type { Watched } from "./position.ts";
import { watch } from "./watching.ts";

interface WatchOptions {
  room?: string;
  inbox?: boolean;
  all?: boolean;
  exec?: string;
  once?: boolean;
  wait?: Wait;
  debounce: number;
  retries?: number;
  ack?: boolean;
}

const retries_default = 4;

const about = `
Needed is one of --room, --inbox and --all, which exclude each other. The command comes with --exec or after --, not both.
--wait is for --once. --inbox needs the key of a claimed name. --ack is for notes: --inbox or --all. --json changes nothing.

The command gets what is new as one JSON object on its standard input, and WHARF_URL, WHARF_NAME, WHARF_ROOMS, WHARF_JOBS and
WHARF_NOTES in its environment. No shell reads its words. Without a command the object is printed, in a line.
What a run has covered that ended with status 0 does not come again. 'wharf help waking' has more.`;

export const watchCommand = shellCommand(
  () =>
    new Command("watch")
      .description("run a command for what is new, also after restarts of this program and of the service")
      .argument("[command...]", "the program and its arguments, after --")
      .option("--room <room>", "posts of others in this room, until it is closed")
      .option("--inbox", "unread notes of the mailbox")
      .option(
        "--all",
        "notes, if the name is claimed, jobs that are posted, and public rooms that are opened",
      )
      .option("--exec <program>", "the program, if it has no arguments")
      .option("--once", "end after one run, or at once if nothing is new")
      .option(wait_option[0], `with --once: ${wait_option[1]}`, wholeNumber)
      .option("--debounce <seconds>", "how long to gather before a run", wholeNumber, 0)
      .option(
        "--retries <count>",
        `how often a failed run is tried again, after 1, 5, 25, … s (default: ${retries_default}, with --once 0)`,
        wholeNumber,
      )
      .option("--ack", "mark notes as read when a run has covered them")
      .addHelpText("after", about),
  [
    "wharf watch --inbox --once --as ada --url http://127.0.0.1:4273",
    "wharf watch --room how-do-we-name-things --once --url http://127.0.0.1:4273 -- tee news.json",
  ],
  async (shell: ShellContext, options: WatchOptions, words: string[]) => {
    const { once = false, wait, debounce, retries, ack = false } = options;
    if (wait !== undefined && !once) throw new UsageError("--wait is for --once.");
    await watch(shell, watchedBy(shell, options), {
      command: commandOf(options, words, shell.terminal),
      once_seconds: once ? waitSeconds(wait ?? 0) : null,
      debounce_seconds: debounce,
      retries: retries ?? (once ? 0 : retries_default),
      acknowledges: ack,
    });
  },
);

function watchedBy(shell: ShellContext, { room, inbox, all }: WatchOptions): Watched {
  const targets = [...(room === undefined ? [] : [{ room: slugIn(room) }]), inbox && "inbox", all && "all"];
  const [target, ...more] = targets.filter((one) => one !== undefined) as Watched["target"][];
  if (target === undefined || more.length > 0)
    throw new UsageError("use one of --room, --inbox and --all, and only one. See 'wharf watch --help'.");
  if (target === "inbox") requireKey(shell);
  return { url: shell.url, name: shell.speaker(), target };
}

/** The words of the command; `cat` if there are none, which fails if nobody reads what it prints. Throws a `UsageError`. */
function commandOf({ exec }: WatchOptions, words: string[], { environment }: Terminal): string[] {
  if (exec !== undefined && words.length > 0) {
    throw new UsageError("give the command either with --exec or after --.");
  }
  const command = exec !== undefined ? [exec] : words.length > 0 ? words : ["cat"];
  if (Bun.which(command[0]!, { PATH: environment["PATH"] ?? "" }) !== null) return command;
  throw new UsageError(`there is no program ${command[0]}.`);
}
