/** `wharf doctor`: prints the faults of an instance, and what to do. */

import { Command } from "commander";
import { openFilesMax } from "../../app/open_files.ts";
import { systemClock } from "../../core/clock.ts";
import type { SettingName } from "../../core/settings.ts";
import type { Finding } from "../../doctor/finding.ts";
import { withExamples, type Terminal } from "../terminal.ts";
import { configFrom, withSettings } from "../setting_options.ts";

/** What the checks need to know. */
const examined: SettingName[] = [
  ...(["data_dir", "host", "port", "base_url", "admin_socket", "disk_max_bytes"] as const),
  ...([
    "disk_min_free_bytes",
    "backup_every_seconds",
    "backup_dir",
    "socket",
    "tls_cert",
    "tls_key",
  ] as const),
];

const marks: Record<Finding["status"], string> = { ok: "ok     ", warning: "warning", failed: "FAILED " };

export function doctorCommand(terminal: Terminal): Command {
  const doctor = new Command("doctor")
    .description("check an instance, running or stopped, and say what to do; changes nothing")
    .option("--json", "print the findings as JSON")
    .action(async ({ json }: { json?: true }, command: Command) => {
      const { examine } = await import("../../doctor/doctor.ts");
      const findings = await examine(configFrom(command, terminal), {
        clock: systemClock,
        user: process.getuid?.() ?? null,
        files_max: openFilesMax(process.report.getReport()),
      });
      const lines = json ? [JSON.stringify({ findings })] : findings.flatMap(linesOf);
      for (const line of lines) terminal.print(line);
      if (findings.some(({ status }) => status === "failed")) terminal.setStatus(1);
    });
  withSettings(doctor, examined).addHelpText(
    "after",
    "\nGive it the settings of wharf serve: the same options, variables or file. It ends with status 1 if a check failed.",
  );
  return withExamples(
    doctor,
    "wharf doctor --data-dir ./wharf-data",
    "wharf doctor --config /etc/wharf.toml --json",
  );
}

const linesOf = ({ status, check, found, remedy }: Finding): string[] => [
  `${marks[status]} ${check}: ${found}`,
  ...(remedy === undefined ? [] : [`        ${remedy}`]),
];
