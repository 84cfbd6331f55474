/** Options of commands for settings of the service. */

import { Option, type Command } from "commander";
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
import type { Terminal } from "./terminal.ts";

/** Gives a command the options for the settings `names`. Returns the command. */
export function withSettings(command: Command, names: readonly SettingName[]): Command {
  for (const name of names) command.addOption(optionOf(name));
  return command;
}

/** The option for a setting. Its value is text, which `readConfig` parses. */
function optionOf(name: SettingName): Option {
  const row = settings[name];
  const short = "short" in row ? `-${row.short}, ` : "";
  const flags = `${short}--${row.flag}${row.value_name === null ? "" : ` <${row.value_name}>`}`;
  const shown = [defaultShown(name) && `default: ${defaultShown(name)}`, `or ${variableOf(row)}`];
  return new Option(flags, `${row.description} (${shown.filter(Boolean).join(", ")})`);
}

/** Reads the configuration from the options of a command and the environment. Throws a `UsageError`. */
export function configFrom(command: Command, { args, environment }: Terminal): Config {
  const flags: Partial<Record<SettingName, Written>> = {};
  for (const name of setting_names) {
    const option = command.options.find(({ long }) => long === `--${settings[name].flag}`);
    const attribute = option?.attributeName() ?? "";
    if (command.getOptionValueSource(attribute) !== "cli") continue;
    const text = settings[name].value_name === null ? "true" : String(command.getOptionValue(attribute));
    flags[name] = { text, as: flagIn(args, name) };
  }
  return readConfig(flags, environment);
}

/** The last spelling of a setting's flag in `args`: `--port` or `-p`. */
function flagIn(args: readonly string[], name: SettingName): string {
  const row = settings[name];
  const long = `--${row.flag}`;
  if (!("short" in row)) return long;
  const short = `-${row.short}`;
  const written = args.findLast((arg) => arg === long || arg.startsWith(`${long}=`) || arg.startsWith(short));
  return written?.startsWith(short) ? short : long;
}
