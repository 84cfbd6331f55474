/** `wharf lease guard`: whether files may be changed, for a shell, and for the hooks of agent hosts and of git. */

import { Command, Option } from "commander";
import { UsageError } from "../../../core/settings.ts";
import { withExamples, type Terminal } from "../../terminal.ts";
import { client_group } from "../shell_command.ts";
import { hosts } from "../hooks/hosts.ts";
import { writeLines } from "../texts.ts";
import { Guard, type GuardOptions, type Verdict } from "./guard.ts";
import { answerGit, git_hooks, type GitHook } from "./hooks/git_hook.ts";
import { answerHost } from "./hooks/host_hook.ts";
import { held_status } from "./room_command.ts";

const exit_codes =
  "\nExit codes: 0 they may be changed, 1 the service cannot be asked and --offline is deny, 2 usage error, 5 somebody else holds one.";

interface Given extends Partial<GuardOptions> {
  hook?: string;
  json?: boolean;
}

export function guardCommand(terminal: Terminal): Command {
  const command = new Command("guard")
    .description("check whether files may be changed: nobody else holds their leases")
    .argument("[paths...]", "the files")
    .option("--room <room>", "the room (default: that of .wharf-leases.toml)")
    .addOption(
      new Option("--hook <name>", "answer a hook of an agent host or of git").choices([
        ...Object.keys(hosts),
        ...git_hooks,
      ]),
    )
    .addOption(
      new Option(
        "--offline <what>",
        "the verdict if the service does not answer (default: allow, with a line on standard error; deny in git-pre-receive)",
      ).choices(["allow", "deny"]),
    )
    .option(
      "--url <url>",
      "the service (or WHARF_URL; default: that of .wharf-leases.toml, or of wharf login)",
    )
    .option("--as <name>", "your name (or WHARF_NAME; default: the saved one)")
    .option("--json", "print the verdict as JSON")
    .helpGroup(client_group)
    .action((paths: string[], { hook, json = false, ...given }: Given) => {
      const offline = given.offline ?? (hook === "git-pre-receive" ? "deny" : "allow");
      const guard = new Guard(terminal, { ...given, offline });
      if (hook === undefined) return answer(guard, terminal, paths, json);
      if (paths.length > 0)
        throw new UsageError("a hook says itself which files it is about: leave them out.");
      return answerHook(hook, guard, terminal);
    });
  return withExamples(
    command.addHelpText("after", exit_codes),
    "wharf lease guard src/login.ts --room our-team",
  );
}

async function answerHook(hook: string, guard: Guard, terminal: Terminal): Promise<void> {
  const host = hosts[hook];
  if (host) await answerHost(host, guard, terminal, await Bun.stdin.text());
  else await answerGit(hook as GitHook, guard, terminal, () => Bun.stdin.text());
}

async function answer(guard: Guard, terminal: Terminal, given: string[], is_json: boolean): Promise<void> {
  if (given.length === 0) throw new UsageError("name the files, or a hook: --hook.");
  const verdict = await guard.checkGiven(given);
  const text = verdict.allowed ? verdict.notice : verdict.text;
  if (is_json) terminal.print(JSON.stringify(verdict));
  if (text !== undefined && (verdict.allowed || !is_json)) writeLines(terminal, text);
  if (!verdict.allowed) terminal.setStatus(statusOf(verdict));
}

/** Somebody else holds it, or the service did not answer. */
const statusOf = ({ held }: Extract<Verdict, { allowed: false }>): number =>
  held.length > 0 ? held_status : 1;
