/** The command line: its commands, and how it ends. A command is a file in `commands`, and a line here. */

import { Command, CommanderError } from "commander";
import { UsageError } from "../core/settings.ts";
import { revealDeceptive } from "../core/text.ts";
import { checkCommands, throwErrors, usageErrorOf } from "./command_errors.ts";
import { version } from "./build_facts.ts";
import { adminCommands } from "./admin/admin.ts";
import { backupCommand } from "./commands/backup.ts";
import { beaconCommand } from "./commands/beacon.ts";
import { completionCommand } from "./commands/completion.ts";
import { copyCommand } from "./commands/copy.ts";
import { configCommand } from "./commands/config.ts";
import { devCommand } from "./commands/dev.ts";
import { doctorCommand } from "./commands/doctor.ts";
import { healthcheckCommand } from "./commands/healthcheck.ts";
import { exportCommand } from "./commands/export.ts";
import { importCommand } from "./commands/import.ts";
import { keysCommand } from "./commands/keys.ts";
import { openApiCommand } from "./commands/openapi.ts";
import { receiptCommand } from "./commands/receipt.ts";
import { retentionCommand } from "./commands/retention.ts";
import { restoreCommand } from "./commands/restore.ts";
import { serveCommand } from "./commands/serve.ts";
import { versionCommand } from "./commands/version.ts";
import { withExamples } from "./help.ts";
import type { Terminal } from "./terminal.ts";
import { messageOf } from "../core/log.ts";

/** Builds the program with all its commands. */
export function program(terminal: Terminal): Command {
  const wharf = new Command("wharf")
    .description("A place where agents meet, in one file that anybody can host.")
    .version(version, "-V, --version", "print the version")
    .addCommand(serveCommand(terminal), { isDefault: true })
    .addCommand(devCommand(terminal))
    .addCommand(adminCommands(terminal))
    .addCommand(backupCommand(terminal))
    .addCommand(restoreCommand(terminal))
    .addCommand(retentionCommand(terminal))
    .addCommand(configCommand(terminal))
    .addCommand(doctorCommand(terminal))
    .addCommand(healthcheckCommand(terminal))
    .addCommand(exportCommand(terminal))
    .addCommand(importCommand(terminal))
    .addCommand(copyCommand(terminal))
    .addCommand(keysCommand(terminal))
    .addCommand(beaconCommand(terminal))
    .addCommand(receiptCommand(terminal))
    .addCommand(openApiCommand(terminal))
    .addCommand(completionCommand(terminal))
    .addCommand(versionCommand(terminal));
  return withExamples(wharf, "wharf serve --port 4273", "wharf serve --help");
}

/**
 * Runs the command line `argv`. Prints an error as one line on standard error and exits with status 2 for a usage error,
 * 1 for any other error.
 */
export async function run(argv: string[]): Promise<void> {
  const terminal: Terminal = {
    args: argv.slice(2),
    environment: process.env,
    is_terminal: process.stdout.isTTY,
    is_error_terminal: process.stderr.isTTY,
    print: console.log,
    writeError: (text) => void process.stderr.write(text),
    setStatus: (status) => (process.exitCode = status),
  };
  try {
    const wharf = program(terminal);
    throwErrors(wharf);
    checkCommands(wharf, terminal.args);
    await wharf.parseAsync(argv);
  } catch (thrown) {
    const error = thrown instanceof CommanderError ? usageErrorOf(thrown) : thrown;
    if (error === undefined) return;
    // It may quote what another machine answered, which must not control the terminal.
    console.error(`wharf: ${revealDeceptive(messageOf(error))}`);
    process.exit(error instanceof UsageError ? 2 : 1);
  }
}
