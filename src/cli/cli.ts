/** The command line: commands and options. */

import { Command, CommanderError, Option } from "commander";
import { version } from "../../package.json" with { type: "json" };
import { systemClock } from "../core/clock.ts";
import { checkCommands, throwErrors, usageErrorOf } from "./command_errors.ts";
import { isWildcard } from "../app/listen_addresses.ts";
import { createLog } from "../core/log.ts";
import { checkOpenFiles } from "../app/open_files.ts";
import { systemRandom } from "../core/random.ts";
import {
  defaultShown,
  readConfig,
  setting_names,
  settings,
  variableOf,
  type Config,
  type SettingName,
  type Written,
} from "../core/settings.ts";
import { UsageError } from "../core/settings.ts";
import { beaconCommand } from "../beacon_verifier/command.ts";

/** The option for a setting. Its value is text, which `readConfig` parses. */
function optionOf(name: SettingName): Option {
  const row = settings[name];
  const short = "short" in row ? `-${row.short}, ` : "";
  const flags = `${short}--${row.flag}${row.value_name === null ? "" : ` <${row.value_name}>`}`;
  const shown = [defaultShown(name) && `default: ${defaultShown(name)}`, `or ${variableOf(row)}`];
  return new Option(flags, `${row.description} (${shown.filter(Boolean).join(", ")})`);
}

/** How long new requests are accepted after SIGTERM. */
const linger_ms = 200;

/** The last spelling of a setting's flag in `args`: `--port` or `-p`. */
function flagIn(args: readonly string[], name: SettingName): string {
  const row = settings[name];
  const long = `--${row.flag}`;
  if (!("short" in row)) return long;
  const short = `-${row.short}`;
  const written = args.findLast((arg) => arg === long || arg.startsWith(`${long}=`) || arg.startsWith(short));
  return written?.startsWith(short) ? short : long;
}

/** Reads the configuration from the flags of a command and the environment. Throws a `UsageError`. */
function configFrom(command: Command): Config {
  const flags: Partial<Record<SettingName, Written>> = {};
  for (const name of setting_names) {
    const option = command.options.find(({ long }) => long === `--${settings[name].flag}`);
    const attribute = option?.attributeName() ?? "";
    if (command.getOptionValueSource(attribute) !== "cli") continue;
    const text = settings[name].value_name === null ? "true" : String(command.getOptionValue(attribute));
    flags[name] = { text, as: flagIn(process.argv.slice(2), name) };
  }
  return readConfig(flags, process.env);
}

/** Builds the program with all its commands. */
export function program(): Command {
  const wharf = new Command("wharf")
    .description("A place where agents meet, in one file that anybody can host.")
    .version(version, "-V, --version", "print the version");

  const serve = wharf.command("serve", { isDefault: true }).description("run the service");
  for (const name of setting_names) serve.addOption(optionOf(name));
  serve.allowExcessArguments(true);
  serve.action((_options, command: Command) => {
    const [word] = command.args;
    if (word !== undefined) {
      throw new UsageError(`'${word}' is too much: a command comes first, and 'serve' takes options alone.`);
    }
    return serveUntilStopped(configFrom(command));
  });

  wharf
    .command("keys")
    .description("the keys that sign receipts")
    .command("rotate")
    .description("sign with a new key from now on, while the service is stopped; older receipts still verify")
    .addOption(optionOf("data_dir"))
    .action((_options, command: Command) => rotate(configFrom(command)));

  wharf
    .command("version")
    .description("print the version")
    .action(() => console.log(version));
  wharf.addCommand(beaconCommand(console.log, (code) => (process.exitCode = code)));
  return wharf;
}

/**
 * Runs the command line `argv`. Prints an error as one line on standard error and exits with status 2 for a usage error,
 * 1 for any other error.
 */
export async function run(argv: string[]): Promise<void> {
  try {
    const wharf = program();
    throwErrors(wharf);
    checkCommands(wharf, argv.slice(2));
    await wharf.parseAsync(argv);
  } catch (thrown) {
    const error = thrown instanceof CommanderError ? usageErrorOf(thrown) : thrown;
    if (error === undefined) return;
    console.error(`wharf: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(error instanceof UsageError ? 2 : 1);
  }
}

async function rotate({ data_dir }: Config): Promise<void> {
  const log = createLog(systemClock, "warn", (line) => void process.stderr.write(line));
  const { rotateKeys } = await import("./rotate_keys.ts");
  const { kid, retired } = await rotateKeys(data_dir, { clock: systemClock, random: systemRandom, log });
  console.log(`Receipts are signed with ${kid} from now on.${retired ? ` ${retired} is retired.` : ""}`);
}

async function serveUntilStopped(config: Config): Promise<void> {
  checkOpenFiles(process.report.getReport());
  const log = createLog(systemClock, config.log_level, (line) => void process.stderr.write(line));
  const { serve } = await import("../app/serve.ts");
  const linger = () => new Promise<void>((resolve) => systemClock.after(linger_ms, resolve));
  const service = await serve(config, { clock: systemClock, random: systemRandom, log, linger });
  console.log(banner(service.urls, config).join("\n"));
  service.prepare();

  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    await service.stop();
    process.exit(0);
  };
  process.on("SIGTERM", () => void stop());
  process.on("SIGINT", () => void stop());
}

/** The lines printed when the service is ready. */
function banner([first, ...others]: string[], config: Config): string[] {
  const public_at = config.base_url ? `public at ${config.base_url}, ` : "";
  const lines = [
    `wharf is serving at ${first}/meet (${public_at}data in ${config.data_dir})`,
    ...others.map((url) => `              also at ${url}/meet`),
  ];
  const needs_names =
    isWildcard(config.host) && config.base_url === null && config.allowed_hosts.length === 0;
  if (!needs_names) return lines;
  return [
    ...lines,
    "Only localhost and IP addresses are served as hosts: allow a host name with --allowed-host or --base-url.",
  ];
}
