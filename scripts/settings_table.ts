/** Writes the table of settings in docs/operating.md from the table in src/core/settings.ts: `bun scripts/settings_table.ts && bun run fmt`. */

import { join } from "node:path";
import { variableOf } from "../src/core/setting.ts";
import { defaultShown, setting_names, settings } from "../src/core/settings.ts";

export const settings_document = join(import.meta.dir, "../docs/operating.md");

/** The rows of the table: flag, variable, default, description. */
export const setting_rows = setting_names.map((name) => {
  const row = settings[name];
  const variable = `\`${variableOf(row)}\``;
  const [flag, source] =
    "secret" in row
      ? ["none", `${variable} or \`${variableOf(row)}_FILE\``]
      : [`\`--${row.flag}\``, variable];
  return [flag, source, defaultShown(name), row.description];
});

/** The rows in the document. */
export const written_rows = /(?<=^\| flag .*\n.*\n)(?:\|.*\n)+/m;

if (import.meta.main) {
  const lines = setting_rows.map((cells) => `| ${cells.join(" | ")} |\n`);
  const document = await Bun.file(settings_document).text();
  await Bun.write(settings_document, document.replace(written_rows, lines.join("")));
}
