/** Options of commands for settings of the service. */

import { Help, Option, type Command, type HelpConfiguration } from "commander";
import { variableOf, type Setting } from "../core/setting.ts";
import { defaultShown, setting_names, settings, type Config, type SettingName } from "../core/settings.ts";
import { file_variable, findSettings, readConfig, type Texts } from "./configuration.ts";
import { setting_groups } from "./setting_groups.ts";
import { usual_file, withSettingsFile } from "./settings_file.ts";
import type { Terminal } from "./terminal.ts";

/** Gives a command the options for the settings `names`, and `--config`. A secret has no option. Returns the command. */
export function withSettings(command: Command, names: readonly SettingName[]): Command {
  for (const name of names) if (hasOption(name)) command.addOption(optionOf(name, true));
  return withFile(command);
}

/** Gives a command the options for all settings, in groups, and `--config`. The variables are in one sentence, so that the help is shorter. */
export function withAllSettings(command: Command): Command {
  for (const name of setting_names) {
    if (hasOption(name)) command.addOption(optionOf(name, false).helpGroup(setting_groups[name]));
  }
  return withFile(command)
    .configureHelp(narrow_layout)
    .addHelpText(
      "after",
      `
Each setting can also come from a variable, or from the settings file: --port is ${variableOf(settings.port)}, --base-url is
${variableOf(settings.base_url)}, and they are port and base-url in the file. A flag overrides the variable, which overrides the file,
which overrides the default. 'wharf config' prints each value and where it comes from.`,
    );
}

/** How wide the column with the flags is. A longer flag has a line of its own, so that the descriptions have room. */
const flags_width = 26;
const narrow_layout: HelpConfiguration = {
  padWidth: () => flags_width,
  formatItem(term, width, description, helper) {
    const item = (flag: string) => Help.prototype.formatItem.call(helper, flag, width, description, helper);
    if (term.length <= flags_width) return item(term);
    return `  ${term}\n${item("")}`;
  },
};

const hasOption = (name: SettingName): boolean => !("secret" in settings[name]);

const withFile = (command: Command): Command =>
  command.option(
    "--config <file>",
    `settings in TOML, by the names of the flags (default: ${usual_file} if it exists, or ${file_variable})`,
  );

/** The option for a setting. Its value is text, which `readConfig` parses. */
function optionOf(name: SettingName, names_variable: boolean): Option {
  const row = settings[name];
  const short = "short" in row ? `-${row.short}, ` : "";
  const flags = `${short}--${row.flag}${row.value_name === null ? "" : ` <${row.value_name}>`}`;
  const by_default = defaultShown(name) && `default: ${defaultShown(name)}`;
  const shown = [by_default, names_variable && `or ${variableOf(row)}`].filter(Boolean).join(", ");
  return new Option(flags, shown === "" ? row.description : `${row.description} (${shown})`);
}

/** Reads the configuration from the options of a command, the environment and the settings file. Throws a `UsageError`. */
export const configFrom = (command: Command, terminal: Terminal): Config =>
  readConfig(...sourcesOf(command, terminal));

/** Finds every setting with its source, as `configFrom` reads it. */
export const settingsFrom = (command: Command, terminal: Terminal): ReturnType<typeof findSettings> =>
  findSettings(...sourcesOf(command, terminal));

function sourcesOf(command: Command, { args, environment }: Terminal): ReturnType<typeof withSettingsFile> {
  const flags: Texts = {};
  for (const name of setting_names) {
    const row: Setting<unknown> = settings[name];
    const option = command.options.find(({ long }) => long === `--${row.flag}`);
    const attribute = option?.attributeName() ?? "";
    if (command.getOptionValueSource(attribute) !== "cli") continue;
    const text = row.value_name === null ? "true" : String(command.getOptionValue(attribute));
    flags[name] = { text, from: "flag", at: flagIn(args, row) };
  }
  return withSettingsFile(flags, environment, command.opts<{ config?: string }>().config);
}

/** The last spelling of a setting's flag in `args`: `--port` or `-p`. */
function flagIn(args: readonly string[], row: Setting<unknown>): string {
  const long = `--${row.flag}`;
  if (row.short === undefined) return long;
  const short = `-${row.short}`;
  const written = args.findLast((arg) => arg === long || arg.startsWith(`${long}=`) || arg.startsWith(short));
  return written?.startsWith(short) ? short : long;
}
