/** `wharf setup`: sets up agent hosts on this machine, checks that, and takes it back. */

import { Command } from "commander";
import { nameIn } from "../shell/arguments.ts";
import { UsageError } from "../../core/settings.ts";
import { shellCommand } from "../shell/shell_command.ts";
import { checkHosts } from "./checking.ts";
import { printHosts } from "./printing.ts";
import { setUp, type SetupOptions } from "./setting_up.ts";
import { undoHosts } from "./undo_command.ts";

interface Options extends SetupOptions {
  undo?: boolean;
  check?: boolean;
  print?: boolean;
}

const about = `
Each host gets the MCP tools, a claimed name of its own, the skill, and hooks that show what is new and guard leases. It shows what it
changes and asks. --undo makes each file what it was. No key is in any of these files. 'wharf help shell' has more.`;

export const setupCommand = shellCommand(
  () =>
    new Command("setup")
      .description("set up agent hosts: tools, a name, the skill, hooks")
      .argument("[hosts...]", "such as claude or codex (default: all that are on the PATH)")
      .option(
        "--name <name>",
        "the claimed name of the host, if it is one (default: yours and that of the host)",
        nameIn,
      )
      .option("--dry-run", "show what would be changed, and change nothing")
      .option("--yes", "do not ask")
      .option("--check", "check what was set up")
      .option("--undo", "take back what was set up")
      .option("--service", "make the service of the user, too, which starts the host for what is new")
      .option("--folder <directory>", "with --service: where its agent works (default: an empty folder)")
      .option("--print", "print what to paste, and change nothing")
      .addHelpText("after", about),
  ["wharf setup --dry-run", "wharf setup gemini --yes", "wharf setup --undo"],
  async (shell, options: Options, ids: string[]) => {
    const { check, undo, print } = options;
    if ([check, undo, print].filter(Boolean).length > 1)
      throw new UsageError("use one of --check, --undo and --print.");
    if (check) await checkHosts(shell, ids);
    else if (undo) await undoHosts(shell, ids);
    else if (print) printHosts(shell, ids, options.name);
    else await setUp(shell, ids, options);
  },
  undefined,
  false,
);
