/** The program of the command line: its commands. A command is a file in `commands`, and a line here. */

import { Command, CommanderError, Option } from "commander";
import { checkCommands, throwErrors, usageErrorOf } from "./command_errors.ts";
import { version } from "./build_facts.ts";
import { document_list, document_names, documentText } from "./documents.ts";
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
  pace: async () => (await import("./shell/pace.ts")).paceCommand,
  members: async () => (await import("./shell/members.ts")).membersCommand,
  leave: async () => (await import("./shell/members.ts")).leaveCommand,
  host: async () => (await import("./shell/host.ts")).hostCommand,
  setup: async () => (await import("./setup/setup.ts")).setupCommand,
  login: async () => (await import("./shell/login.ts")).loginCommand,
  name: async () => (await import("./shell/name.ts")).nameCommand,
  locker: async () => (await import("./shell/locker.ts")).lockerCommand,
  jobs: async () => (await import("./shell/jobs.ts")).jobsCommand,
  lease: async () => (await import("./shell/lease/lease.ts")).leaseCommand,
  inbox: async () => (await import("./shell/inbox.ts")).inboxCommand,
  webhook: async () => (await import("./shell/webhook.ts")).webhookCommand,
  watch: async () => (await import("./shell/watch/watch.ts")).watchCommand,
  wake: async () => (await import("./shell/wake/wake.ts")).wakeCommand,
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
    .version(version, "-v, --version", "print the version")
    // The short option of earlier versions.
    .addOption(new Option("-V", "print the version").hideHelp())
    .on("option:V", () => {
      terminal.print(version);
      throw new CommanderError(0, "commander.version", version);
    })
    .addHelpText("after", `\n${document_list}`)
    .addHelpText(
      "after",
      `\nWithout a command it runs the service: 'wharf' is 'wharf serve', and takes the options of that.`,
    );
  const created = await Promise.all(names.map((name) => commands[name]!()));
  for (const [i, create] of created.entries())
    wharf.addCommand(create(terminal), { isDefault: names[i] === usual_command });
  return withExamples(wharf, "wharf serve --port 4273", "wharf serve --help", "wharf help shell");
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
  if (await printDocument(wharf, terminal)) return;
  checkCommands(wharf, terminal.args, document_names);
  // The executable starts with little compilation by the JIT (scripts/release/binaries.ts). `serve` ends that when it is ready.
  wharf.hook("preAction", (_wharf, command) => {
    if (command.name() === usual_command) beginsService();
    else Bun.unsafe.setJITPolicy(1);
  });
  try {
    await wharf.parseAsync([...argv.slice(0, 2), ...withHelp(terminal.args)]);
  } catch (error) {
    const usage = error instanceof CommanderError ? usageErrorOf(error) : error;
    if (usage !== undefined) throw usage;
  }
}

/** `help name claim` as `name claim --help`: Commander's own `help` reads one word. */
const withHelp = (args: readonly string[]): readonly string[] =>
  args[0] === "help" && args.length > 2 ? [...args.slice(1), "--help"] : args;

/** Prints the document that `wharf help NAME` names, below the help of the command of that name. Returns false if there is none. */
async function printDocument({ commands }: Command, { args, print }: Terminal): Promise<boolean> {
  const [word, name = "", ...more] = args;
  const text = word === "help" && more.length === 0 ? await documentText(name) : undefined;
  if (text === undefined) return false;
  const command = commands.find((one) => one.name() === name);
  if (command) print(command.helpInformation());
  print(text);
  return true;
}
