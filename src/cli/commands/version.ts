/** `wharf version`: prints the version, and what the program was built from. */

import { Command } from "commander";
import { commit, target, version } from "../build_facts.ts";
import { withExamples, type Terminal } from "../terminal.ts";

export function versionCommand(terminal: Terminal): Command {
  const command = new Command("version")
    .description("print the version")
    .option("--json", "print commit, target, and the versions of Bun and SQLite, too, as JSON")
    .action(async ({ json }: { json?: true }) => {
      if (!json) return terminal.print(version);
      const { sqliteVersion } = await import("../../storage/sqlite/version.ts");
      const facts = { version, commit, target, bun: Bun.version, sqlite: sqliteVersion() };
      terminal.print(JSON.stringify(facts));
    });
  return withExamples(command, "wharf version", "wharf version --json");
}
