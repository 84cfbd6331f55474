/** What the commands of admins share: how they reach an instance, and how they print. */

import type { Command } from "commander";
import { WharfProblem, type Client } from "../../client/client.ts";
import { revealDeceptive } from "../../core/text.ts";
import { quotedJson } from "../../core/text_form.ts";
import { UsageError, type SettingName } from "../../core/settings.ts";
import { withExamples, type Terminal } from "../terminal.ts";
import { problemText } from "../problem_text.ts";
import { configFrom, withSettings } from "../setting_options.ts";
import { clientAt, clientOfOwner, type AdminClient } from "./client.ts";

interface AdminContext {
  terminal: Terminal;
  /** Calls the admin API. */
  client: Client;
  /** Prints an answer: with --json as it is, else as these lines, in which nothing controls the terminal. */
  show(answer: object, lines: string | string[]): void;
}

interface AdminOptions {
  url?: string;
  json?: boolean;
}

type Action<Options, Arguments extends unknown[] = string[]> = (
  admin: AdminContext,
  options: Options,
  ...args: Arguments
) => Promise<void>;

/**
 * A command of admins: what `create` makes, with the options by which it reaches an instance, and examples. `action` gets the command's
 * own options and arguments. A problem ends it with an error that has its text. `further_settings`: settings that it takes beside the
 * data directory.
 */
// oxlint-disable-next-line no-unnecessary-type-parameters -- names the options that the caller has declared
export const adminCommand =
  <Options extends object, Arguments extends unknown[] = string[]>(
    create: () => Command,
    examples: [string, ...string[]],
    action: Action<Options, Arguments>,
    further_settings: readonly SettingName[] = [],
  ) =>
  (terminal: Terminal): Command => {
    const command = create();
    withSettings(command, ["data_dir", ...further_settings])
      .option(
        "--url <url>",
        "a running service elsewhere, with a token in WHARF_ADMIN_TOKEN or WHARF_ADMIN_TOKEN_FILE",
      )
      .option("--json", "print the answer as JSON")
      .action(async (...given: unknown[]) => {
        const options = given.at(-2) as Options & AdminOptions;
        const { client, close } = await clientFor(options, command, terminal);
        const show: AdminContext["show"] = (answer, lines) => {
          if (options.json) terminal.print(quotedJson(answer));
          else for (const line of [lines].flat()) terminal.print(revealDeceptive(line));
        };
        try {
          await action({ client, show, terminal }, options, ...(given.slice(0, -2) as Arguments));
        } catch (error) {
          if (!(error instanceof WharfProblem)) throw error;
          throw new Error(await problemText(error.problem), { cause: error });
        } finally {
          await close();
        }
      });
    return withExamples(command, ...examples);
  };

/** The same for a command that changes something, which needs a reason. */
export const reasonedCommand = <Options extends object>(
  create: () => Command,
  examples: [string, ...string[]],
  action: Action<Options & { reason: string }>,
) =>
  adminCommand(
    () => create().requiredOption("--reason <text>", "why; it is written into the audit log"),
    examples,
    action,
  );

async function clientFor({ url }: AdminOptions, command: Command, terminal: Terminal): Promise<AdminClient> {
  if (url === undefined) return clientOfOwner(configFrom(command, terminal), terminal);
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? "")) {
    throw new UsageError("--url must be an http or https address.");
  }
  const { admin_token } = configFrom(command, terminal);
  if (admin_token !== null) return clientAt(url, admin_token);
  throw new UsageError(
    "--url needs a token: set WHARF_ADMIN_TOKEN, or WHARF_ADMIN_TOKEN_FILE to a file with it.",
  );
}
