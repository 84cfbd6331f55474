/** What the commands of admins share: how they reach an instance, and how they print. */

import type { Command } from "commander";
import { UsageError, type SettingName } from "../../core/settings.ts";
import { configFrom, withSettings } from "../setting_options.ts";
import type { Terminal } from "../terminal.ts";
import { clientAt, clientOfOwner, type AdminClient } from "./client.ts";

export interface AdminContext {
  /** Calls the admin API. Throws an `Error` with the detail and the hint of a problem. */
  call<Body>(method: string, path: string, sent?: object): Promise<Body>;
  /** The same for an answer that is no JSON. */
  send(method: string, path: string): Promise<Response>;
  /** Prints an answer: with --json as it is, else as these lines. */
  show(answer: object, lines: string | string[]): void;
}

interface AdminOptions {
  url?: string;
  json?: boolean;
}

/**
 * Gives `command` the options by which it reaches an instance, and runs `action` with the command's own options and
 * arguments. `further_settings`: settings that it takes beside the data directory. Returns the command.
 */
// oxlint-disable-next-line no-unnecessary-type-parameters -- names the options that the caller has declared
export function adminCommand<Options extends object>(
  command: Command,
  terminal: Terminal,
  action: (admin: AdminContext, options: Options, ...args: string[]) => Promise<void>,
  further_settings: readonly SettingName[] = [],
): Command {
  return withSettings(command, ["data_dir", ...further_settings])
    .option(
      "--url <url>",
      "a running service elsewhere, with a token in WHARF_ADMIN_TOKEN or WHARF_ADMIN_TOKEN_FILE",
    )
    .option("--json", "print the answer as JSON")
    .action(async (...given: unknown[]) => {
      const options = given.at(-2) as Options & AdminOptions;
      const client = await clientFor(options, command, terminal);
      try {
        await action(contextOf(client, options, terminal), options, ...(given.slice(0, -2) as string[]));
      } finally {
        await client.close();
      }
    });
}

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

const contextOf = (client: AdminClient, { json }: AdminOptions, { print }: Terminal): AdminContext => ({
  async call<Body>(method: string, path: string, sent?: object) {
    const response = await client.send(path, {
      method,
      ...(sent && { headers: { "content-type": "application/json" }, body: JSON.stringify(sent) }),
    });
    return (await checked(response)).json() as Promise<Body>;
  },
  send: async (method, path) => checked(await client.send(path, { method })),
  show: (answer, lines) => (json ? [JSON.stringify(answer)] : [lines].flat()).forEach((line) => print(line)),
});

/** The response, if it is no problem. */
async function checked(response: Response): Promise<Response> {
  if (response.ok) return response;
  type Problem = { detail?: string; hint?: string; errors?: { path: string; message: string }[] };
  const { detail, hint, errors = [] } = (await response.json().catch(() => ({}))) as Problem;
  const fields = errors.map(({ path, message }) => `${path.slice(1)} ${message}.`);
  const said = [detail ?? `The service answered ${response.status}.`, ...fields, hint];
  throw new Error(said.filter(Boolean).join(" "));
}
