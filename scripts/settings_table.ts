/** Writes the table of settings in docs/operating.md from the table in src/core/settings.ts: `bun scripts/settings_table.ts && bun run fmt`. */

import { join } from "node:path";
import { defaultShown, setting_names, settings, variableOf } from "../src/core/settings.ts";

const file = join(import.meta.dir, "../docs/operating.md");
const rows = setting_names.map((name) => {
  const row = settings[name];
  return `| \`--${row.flag}\` | \`${variableOf(row)}\` | ${defaultShown(name)} | ${row.description} |`;
});
const document = await Bun.file(file).text();
await Bun.write(file, document.replace(/(?:^\| `--.*\n)+/m, `${rows.join("\n")}\n`));
