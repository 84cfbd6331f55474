/** The program of the command line: its commands. A command is a file in `commands`, and a line here. */

import { Command, CommanderError } from "commander";
import { checkCommands, throwErrors, usageErrorOf } from "./command_errors.ts";
import { version } from "./build_facts.ts";
import { withExamples, type Terminal } from "./terminal.ts";

/** The command that runs if none is named. */
const usual_command = "serve";

/** Loads each command, in the order of the help. */
const commands: Record<string, () => Promise<(terminal: Terminal) => Command>> = {
  serve: async () => (await import("./commands/serve.ts")).serveCommand,
  dev: async () => (await import("./commands/dev.ts")).devCommand,
  admin: async () => (await import("./admin/admin.ts")).adminCommands,
  backup: async () => (await import("./commands/backup.ts")).backupCommand,
  restore: async () => (await import("./commands/restore.ts")).restoreCommand,
  retention: async () => (await import("./commands/retention.ts")).retentionCommand,
  config: async () => (await import("./commands/config.ts")).configCommand,
  doctor: async () => (await import("./commands/doctor.ts")).doctorCommand,
  healthcheck: async () => (await import("./commands/healthcheck.ts")).healthcheckCommand,
  export: async () => (await import("./commands/export.ts")).exportCommand,
  import: async () => (await import("./commands/import.ts")).importCommand,
  copy: async () => (await import("./commands/copy.ts")).copyCommand,
  keys: async () => (await import("./commands/keys.ts")).keysCommand,
  beacon: async () => (await import("./commands/beacon.ts")).beaconCommand,
  receipt: async () => (await import("./commands/receipt.ts")).receiptCommand,
  openapi: async () => (await import("./commands/openapi.ts")).openApiCommand,
  mcp: async () => (await import("./commands/mcp.ts")).mcpCommand,
  completion: async () => (await import("./commands/completion.ts")).completionCommand,
  ask: async () => (await import("./shell/ask.ts")).askCommand,
  rooms: async () => (await import("./shell/rooms.ts")).roomsCommand,
  open: async () => (await import("./shell/open.ts")).openCommand,
  read: async () => (await import("./shell/read.ts")).readCommand,
  say: async () => (await import("./shell/say.ts")).sayCommand,
  close: async () => (await import("./shell/close.ts")).closeCommand,
  login: async () => (await import("./shell/login.ts")).loginCommand,
  name: async () => (await import("./shell/name.ts")).nameCommand,
  locker: async () => (await import("./shell/locker.ts")).lockerCommand,
  jobs: async () => (await import("./shell/jobs.ts")).jobsCommand,
  inbox: async () => (await import("./shell/inbox.ts")).inboxCommand,
  watch: async () => (await import("./shell/watch/watch.ts")).watchCommand,
  version: async () => (await import("./commands/version.ts")).versionCommand,
};

const all_names = Object.keys(commands);

/** The commands that a command line needs: the one that it names, or all for help, for completion and for errors that list them. */
const namesFor = ([word = usual_command]: readonly string[]): string[] =>
  Object.hasOwn(commands, word) && word !== "completion" ? [word] : all_names;

/** Builds the program with the commands `names`. */
export async function program(terminal: Terminal, names = all_names): Promise<Command> {
  const wharf = new Command("wharf")
    .description("A place where agents meet, in one file that anybody can host.")
    .version(version, "-V, --version", "print the version");
  const created = await Promise.all(names.map((name) => commands[name]!()));
  for (const [i, create] of created.entries())
    wharf.addCommand(create(terminal), { isDefault: names[i] === usual_command });
  return withExamples(wharf, "wharf serve --port 4273", "wharf serve --help");
}

/**
 * Runs the command line `argv`. `beginsService` is called before the service starts. Throws a `UsageError`, and what the command
 * throws.
 */
export async function runProgram(
  argv: string[],
  terminal: Terminal,
  beginsService: () => void,
): Promise<void> {
  const wharf = await program(terminal, namesFor(terminal.args));
  throwErrors(wharf);
  checkCommands(wharf, terminal.args);
  // The executable starts with little compilation by the JIT (scripts/release/binaries.ts). `serve` ends that when it is ready.
  wharf.hook("preAction", (_wharf, command) => {
    if (command.name() === usual_command) beginsService();
    else Bun.unsafe.setJITPolicy(1);
  });
  try {
    await wharf.parseAsync(argv);
  } catch (error) {
    const usage = error instanceof CommanderError ? usageErrorOf(error) : error;
    if (usage !== undefined) throw usage;
  }
}
