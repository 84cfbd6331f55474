/** `wharf config`: the value of every setting, and where it comes from. */

import { Command } from "commander";
import type { Setting } from "../../core/setting.ts";
import { defaultShown, setting_names, settings, type SettingName } from "../../core/settings.ts";
import { isOn } from "../../core/setting_values.ts";
import { unknownVariables, type Found } from "../configuration.ts";
import { withExamples, type Terminal } from "../terminal.ts";
import { settingsFrom, withAllSettings } from "../setting_options.ts";

export function configCommand(terminal: Terminal): Command {
  const config = new Command("config")
    .description("print the value of every setting and where it comes from: flag, variable, file or default")
    .option("--json", "as JSON: sizes in bytes, times in seconds")
    .action((options: { json?: true }, command: Command) => {
      const found = settingsFrom(command, terminal);
      if (options.json) return terminal.print(JSON.stringify(jsonOf(found)));
      for (const line of linesOf(found)) terminal.print(line);
      for (const name of unknownVariables(terminal.environment)) {
        terminal.writeError(`${name} is no setting, and is ignored.\n`);
      }
    });
  withAllSettings(config).addHelpText(
    "after",
    `
A secret has no flag and no key in the file. It is in its variable, such as WHARF_ADMIN_TOKEN, or in the file that
WHARF_ADMIN_TOKEN_FILE names.`,
  );
  return withExamples(config, "wharf config", "wharf config --config /etc/wharf.toml --json");
}

/** Whether the value may hold a secret. */
const isHidden = ({ secret, has_file }: Setting<unknown>): boolean => secret === true || has_file === true;

function linesOf(found: Record<SettingName, Found>): string[] {
  const rows = setting_names.map((name): [string, string, string] => {
    const row: Setting<unknown> = settings[name];
    const { written } = found[name];
    const by_default = row.value_name === null ? "false" : defaultShown(name) || "-";
    const shown = written ? (isHidden(row) ? "(set)" : written.text) : by_default;
    return [row.flag, shown, written ? `${written.from} ${written.at}` : "default"];
  });
  const width = (column: 0 | 1) => Math.max(...rows.map((row) => row[column].length));
  return rows.map(([flag, shown, from]) => `${flag.padEnd(width(0))}  ${shown.padEnd(width(1))}  ${from}`);
}

const jsonOf = (found: Record<SettingName, Found>) =>
  Object.fromEntries(
    setting_names.map((name) => {
      const row: Setting<unknown> = settings[name];
      const { value, written } = found[name];
      // The value of `--no-rate-limit` is inside the opposite of what its flag says.
      const plain = row.value_name === null ? written !== null && isOn(written.text) : value;
      return [
        row.flag,
        {
          value: isHidden(row) && written ? "(set)" : plain,
          from: written?.from ?? "default",
          ...(written && { at: written.at }),
        },
      ];
    }),
  );
