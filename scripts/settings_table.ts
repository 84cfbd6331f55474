/** Writes the README's table of settings from the table in src/core/settings.ts: `bun scripts/settings_table.ts && bun run fmt`. */

import { join } from "node:path";
import { defaultShown, setting_names, settings, variableOf } from "../src/core/settings.ts";

const file = join(import.meta.dir, "../README.md");
const rows = setting_names.map((name) => {
  const row = settings[name];
  return `| \`--${row.flag}\` | \`${variableOf(row)}\` | ${defaultShown(name)} | ${row.description} |`;
});
const readme = await Bun.file(file).text();
await Bun.write(file, readme.replace(/(?:^\| `--.*\n)+/m, `${rows.join("\n")}\n`));
