/** What the commands of the client share: their options, how they print, and how they end. */

import type { Command } from "commander";
import { WharfProblem } from "../../client/client.ts";
import { withReason } from "../../core/log.ts";
import { UsageError } from "../../core/settings.ts";
import { revealDeceptive } from "../../core/text.ts";
import { quotedJson } from "../../core/text_form.ts";
import { withExamples, type Terminal } from "../terminal.ts";
import { problemText } from "../problem_text.ts";
import { quote, quoted } from "./texts.ts";
import { connect, type Connection, type ConnectionOptions } from "./connection.ts";

/** The end of the help. Scripts rely on these. */
const exit_codes =
  "\nExit codes: 0 done, 1 it failed, 2 usage error, 3 the service refuses it, 4 nothing came in time, 5 somebody else was first.";
const refused_status = 3;
/** The status of a command that waited in vain. */
export const nothing_came_status = 4;
/** The status of a command that did nothing because others have posted since. */
export const moved_on_status = 5;

/** The heading of the client's commands in the help of the program. */
export const client_group = "Commands of the client:";

export interface ShellContext extends Connection {
  terminal: Terminal;
  /** Whether a program reads the output. */
  is_json: boolean;
  /** Prints an answer: with --json as one line, else as these lines. Nothing in it controls the terminal. */
  show(answer: object, lines: string | string[]): void;
  /** Says something on standard error, in one line. Nothing in it controls the terminal. */
  note(text: string): void;
  /** Says to a reader that there is nothing to show; with --json nothing. */
  nothing(text: string): void;
}

/** Gets the command's options, then its arguments. */
type Action = (shell: ShellContext, ...given: never[]) => Promise<void>;

interface ShellOptions extends ConnectionOptions {
  json?: boolean;
}

/** Completes the options of a command before it connects. It gets the arguments of the command, too. */
type Complete = (options: ShellOptions, terminal: Terminal, ...given: string[]) => ShellOptions;

/** Gets the options of a command, then its arguments. */
type Run = (terminal: Terminal, given: [ShellOptions, ...unknown[]]) => Promise<void>;

/**
 * A command of the client: what `create` makes, with the options of a client, examples, and what it runs. `speaks`: it has the option for
 * the name that speaks.
 */
export const clientCommand =
  (create: () => Command, examples: [string, ...string[]], run: Run, speaks = true) =>
  (terminal: Terminal): Command => {
    const command = create()
      .helpGroup(client_group)
      .option("--url <url>", "the service (or WHARF_URL; default: that of wharf login)");
    if (speaks) command.option("--as <name>", "the name that speaks (or WHARF_NAME; default: the saved one)");
    command
      .option("--json", "print answers as JSON, one object a line")
      .addHelpText("after", exit_codes)
      .action((...given: unknown[]) => run(terminal, [given.at(-2) as ShellOptions, ...given.slice(0, -2)]));
    return withExamples(command, ...examples);
  };

/** Runs an action that calls the service. A refusal of the service ends it with status 3. */
export const calling =
  (action: Action, complete?: Complete): Run =>
  async (terminal, [own_options, ...given]) => {
    const options = complete?.(own_options, terminal, ...(given as string[])) ?? own_options;
    const shell = contextOf(connect(options, terminal), options, terminal);
    try {
      await action(shell, ...([options, ...given] as never[]));
    } catch (error) {
      if (!(error instanceof WharfProblem)) throw reachable(error, shell.url);
      await refuse(error, shell);
    }
  };

/** The same for an action that needs the key of a claimed name. */
export const callingWithKey = (action: Action, complete?: Complete): Run =>
  calling(async (shell, ...given: never[]) => {
    requireKey(shell);
    await action(shell, ...given);
  }, complete);

/** A command that calls the service. */
export const shellCommand = (
  create: () => Command,
  examples: [string, ...string[]],
  action: Action,
  complete?: Complete,
  speaks = true,
) => clientCommand(create, examples, calling(action, complete), speaks);

/** The same for a command that needs the key of a claimed name. */
export const keyedCommand = (
  create: () => Command,
  examples: [string, ...string[]],
  action: Action,
  complete?: Complete,
) => clientCommand(create, examples, callingWithKey(action, complete));

/** Throws a `UsageError` if the calls have no key. */
export function requireKey({ key, name = "a claimed name", url }: Connection): void {
  if (key !== undefined) return;
  throw new UsageError(
    `no key of ${name} is saved for ${url}. 'wharf name claim NAME' claims a name; or set WHARF_NAME and WHARF_KEY.`,
  );
}

const contextOf = (
  connection: Connection,
  { json = false }: ShellOptions,
  terminal: Terminal,
): ShellContext => {
  const note = (text: string): void => terminal.writeError(`${fitted(`wharf: ${text}`, terminal)}\n`);
  return {
    ...connection,
    terminal,
    is_json: json,
    show(answer, lines) {
      if (json) terminal.print(quotedJson(answer));
      else for (const line of [lines].flat()) terminal.print(fitted(line, terminal));
    },
    note,
    nothing: json ? () => {} : note,
  };
};

/** A line in which nothing controls the terminal, nor begins another line. A quoted line that is too long is quoted in several. */
function fitted(line: string, { columns }: Terminal): string {
  const shown = revealDeceptive(line).replace(/[\n\r\f]/g, " ");
  if (!columns || !shown.startsWith(quote)) return shown;
  const text = shown.slice(quote.length).replaceAll("\t", "    ");
  const width = Math.max(1, columns - quote.length);
  return quoted(Bun.wrapAnsi(text, width, { hard: true, trim: false })).join("\n");
}

/** A problem with a text of its own: the command knows more about it than the service. */
export class ProblemInWords extends WharfProblem {
  constructor(
    problem: WharfProblem["problem"],
    readonly text: string,
  ) {
    super(problem);
  }
}

/**
 * Says why the service refuses the call: as a line on standard error, with --json as the problem on standard output. `about`: the beginning
 * of that line, if the command makes several calls.
 */
export async function refuse(
  error: WharfProblem,
  { terminal, is_json, show, note }: ShellContext,
  about = "",
): Promise<void> {
  const { problem } = error;
  const text = error instanceof ProblemInWords ? error.text : await problemText(problem);
  if (is_json) show(problem, []);
  else note(`${about}${text} (${problem.code})`);
  terminal.setStatus(refused_status);
}

/** An error of the network says which service was called. */
export const reachable = (error: unknown, url: string): unknown =>
  /^https?:/.test(String((error as { path?: unknown }).path))
    ? withReason(`${url} cannot be reached`, error)
    : error;
