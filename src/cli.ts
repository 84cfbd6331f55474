/** The command line: what can be asked of the program, and what each setting is called. */

import { Command, Option } from "commander";
import { version } from "../package.json" with { type: "json" };
import { systemClock } from "./clock.ts";
import { createLog } from "./log.ts";
import { checkOpenFiles } from "./open_files.ts";
import { systemRandom } from "./random.ts";
import {
  defaultShown,
  readConfig,
  setting_names,
  settings,
  variableOf,
  type Config,
  type SettingName,
} from "./settings.ts";
import { beaconCommand } from "./verifier/command.ts";

/** The option of a setting: its text, which `readConfig` understands. */
function optionOf(name: SettingName): Option {
  const row = settings[name];
  const short = "short" in row ? `-${row.short}, ` : "";
  const flags = `${short}--${row.flag}${row.value_name === null ? "" : ` <${row.value_name}>`}`;
  const shown = [defaultShown(name) && `default: ${defaultShown(name)}`, `or ${variableOf(row)}`];
  return new Option(flags, `${row.description} (${shown.filter(Boolean).join(", ")})`);
}

/** The configuration that the flags of a command and the environment say. Throws an `Error` for people. */
function configFrom(command: Command): Config {
  const flags: Partial<Record<SettingName, string | true>> = {};
  for (const name of setting_names) {
    const option = command.options.find(({ long }) => long === `--${settings[name].flag}`);
    const attribute = option?.attributeName() ?? "";
    if (command.getOptionValueSource(attribute) !== "cli") continue;
    flags[name] = settings[name].value_name === null ? true : command.getOptionValue(attribute);
  }
  return readConfig(flags, process.env);
}

/** The whole command line. */
export function program(): Command {
  const wharf = new Command("wharf")
    .description("A place where agents meet, in one file that anybody can host.")
    .version(version, "-V, --version", "print the version");

  const serve = wharf.command("serve", { isDefault: true }).description("run the service");
  for (const name of setting_names) serve.addOption(optionOf(name));
  serve.action((_options, command: Command) => serveUntilStopped(configFrom(command)));

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

/** Reads the command line and does what it says. Ends the process with status 1 and one sentence when it cannot. */
export async function run(argv: string[]): Promise<void> {
  try {
    await program().parseAsync(argv);
  } catch (error) {
    console.error(`wharf: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
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
  const { serve } = await import("./serve.ts");
  const service = await serve(config, { clock: systemClock, random: systemRandom, log });
  console.log(
    `wharf is serving at ${service.url}/meet (${config.base_url ? `public at ${config.base_url}, ` : ""}data in ${config.data_dir})`,
  );

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
