/** `wharf import`: an instance from a file that `wharf export` has written. */

import { Command } from "commander";
import { existsSync } from "node:fs";
import { importInto } from "../../storage/export/import.ts";
import { withExamples } from "../help.ts";
import { configFrom, withSettings } from "../setting_options.ts";
import type { Terminal } from "../terminal.ts";
import { rows_per_line, standard } from "./export.ts";

export const importCommand = (terminal: Terminal): Command =>
  withExamples(
    withSettings(
      new Command("import")
        .description("make the data of a new instance from an export, in a missing or empty directory")
        .argument("<file>", "the export, or - for standard input"),
      ["data_dir"],
    ).action(async (file: string, _options, command: Command) => {
      const { data_dir } = configFrom(command, terminal);
      if (file !== standard && !existsSync(file)) throw new Error(`There is no ${file}.`);
      const chunks = file === standard ? Bun.stdin.stream() : Bun.file(file).stream();
      const { rows, with_secrets } = await importInto(data_dir, chunks, (count) => {
        if (count % rows_per_line === 0) terminal.writeError(`${count} rows\n`);
      });
      const count = Object.values(rows).reduce((sum, number) => sum + number, 0);
      terminal.print(`${count} rows are imported into ${data_dir}.`);
      if (!with_secrets) {
        terminal.print(
          "The export has no secrets. Nobody has the key of a name in it: `wharf admin release` lets its owner claim it again.",
        );
      }
    }),
    "wharf import wharf.jsonl --data-dir ./new-data",
    "gunzip < wharf.jsonl.gz | wharf import - --data-dir ./new-data",
  );
