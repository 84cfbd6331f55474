/** `wharf lease run`: holds a lease while a command runs. */

import { Command } from "commander";
import { isatty } from "node:tty";
import { systemClock } from "../../../core/clock.ts";
import { messageOf } from "../../../core/log.ts";
import { UsageError } from "../../../core/settings.ts";
import type { Schemas } from "../../../client/client.ts";
import type { Terminal } from "../../terminal.ts";
import { exitStatusOf, statusOf } from "../exit_status.ts";
import type { ShellContext } from "../shell_command.ts";
import { ending_ms, keepLease, releaseLease, uptime } from "./held_lease.ts";
import { leasePaths } from "./lease_paths.ts";
import { roomCommand, type RoomOptions } from "./room_command.ts";
import { takeLease, withTakeOptions, type TakeOptions } from "./taking.ts";

/** The status if the lease was lost while the command ran. */
const lost_status = 6;

const about = `
The command gets the number of the lease as WHARF_FENCE, and its paths, one a line, as WHARF_LEASE_PATHS. No shell reads its words.
SIGINT, SIGTERM and SIGHUP are passed on. The lease is extended after each third of --ttl, and released when the command has ended.

The exit code is that of the command, or 128 and the number of the signal that ended it. Exit code 6: the lease was lost while
the command ran, or could not be extended before its end. The command then gets SIGTERM, and ${ending_ms / 1000} s later SIGKILL.`;

export const runCommand = roomCommand(
  () =>
    withTakeOptions(
      new Command("run")
        .description("hold paths while a command runs")
        .argument("<words...>", "the paths, then --, then the program and its arguments")
        .addHelpText("after", about),
    ),
  [
    "wharf lease run package.json --room our-team --wait 600 -- touch package.json",
    "wharf lease run port/8080 --room our-team --ttl 60 -- printenv WHARF_FENCE",
  ],
  async (shell, { room, tree }, options: RoomOptions & TakeOptions, words: string[]) => {
    const { given, command } = split(words, shell.terminal);
    const paths = leasePaths(given, tree);
    const { stopped, passTo } = signalsOf(shell.terminal);
    const sent_at = uptime();
    let taken: Schemas["TakenLease"];
    try {
      taken = await takeLease(shell, room, paths, options, stopped);
    } catch (error) {
      if (!stopped.aborted) throw error;
      return shell.terminal.setStatus(statusOf(stopped.reason as NodeJS.Signals));
    }
    // A wait may have been long: the time of the lease counts from its end.
    const since = options.wait > 0 ? uptime() : sent_at;
    await runWith(shell, { room, taken, since, ttl_seconds: options.ttl, command, passTo });
  },
);

/** The words before and after `--`. Throws a `UsageError` if there is no program of that name. */
function split(words: string[], { args, environment }: Terminal): { given: string[]; command: string[] } {
  const at = args.indexOf("--");
  const command = at < 0 ? [] : args.slice(at + 1);
  const given = words.slice(0, words.length - command.length);
  const [program] = command;
  if (program === undefined || given.length === 0)
    throw new UsageError("give the paths, then the command after --. See 'wharf lease run --help'.");
  if (Bun.which(program, { PATH: environment["PATH"] ?? "" }) === null)
    throw new UsageError(`there is no program ${program}.`);
  return { given, command };
}

/** `stopped` aborts at the first signal that ends this program. `passTo` passes the signals to a command from then on. */
function signalsOf(terminal: Terminal) {
  const stop = new AbortController();
  let pass = (signal: NodeJS.Signals): void => stop.abort(signal);
  terminal.onStop((signal) => pass(signal));
  return {
    stopped: stop.signal,
    passTo(child: Kill): void {
      // At a terminal, the system itself sends SIGINT to the command, too.
      pass = (signal) => {
        if (signal !== "SIGINT" || !isatty(0)) child.kill(signal);
      };
      if (stop.signal.aborted) pass(stop.signal.reason as NodeJS.Signals);
    },
  };
}

type Kill = Pick<Bun.Subprocess, "kill">;

interface Running {
  room: string;
  taken: Schemas["TakenLease"];
  since: number;
  ttl_seconds: number;
  command: string[];
  passTo(child: Kill): void;
}

async function runWith(
  shell: ShellContext,
  { room, taken, since: sent_at, ttl_seconds, command, passTo }: Running,
): Promise<void> {
  const { terminal, note } = shell;
  const { fence, paths, until } = taken;
  const ended = new AbortController();
  let loss: string | null = null;
  try {
    const child = Bun.spawn(command, {
      env: { ...terminal.environment, WHARF_FENCE: String(fence), WHARF_LEASE_PATHS: paths.join("\n") },
      stdio: ["inherit", "inherit", "inherit"],
    });
    passTo(child);
    const hold = async () => {
      loss = await keepLease(shell, { room, fence, ttl_seconds, sent_at }, ended.signal);
      if (loss === null) return;
      note(`${loss} ${command[0]} is ended.`);
      child.kill("SIGTERM");
      systemClock.after(ending_ms, () => child.kill("SIGKILL"));
    };
    const holding = hold();
    await child.exited;
    ended.abort();
    await holding;
    terminal.setStatus(exitStatusOf(child));
  } finally {
    ended.abort();
    const is_released = await releaseLease(shell, room, taken).catch((error: unknown) => {
      note(`lease ${fence} is not released, and ends by itself at ${until} or later: ${messageOf(error)}`);
      return true;
    });
    if (!is_released && loss === null) note((loss = `lease ${fence} was lost while ${command[0]} ran.`));
  }
  if (loss !== null) terminal.setStatus(lost_status);
}
