/** `wharf doctor`: prints the faults of an instance, and what to do. */

import { Command } from "commander";
import { openFilesMax } from "../../app/open_files.ts";
import { systemClock } from "../../core/clock.ts";
import { baseUrl } from "../../core/setting_values.ts";
import type { Config, SettingName } from "../../core/settings.ts";
import type { Finding } from "../../doctor/finding.ts";
import { optionValue } from "../option_value.ts";
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
    .option(
      "--oauth [url]",
      "check over the network whether clients can sign in by OAuth, at this address (default: --base-url, or this machine)",
    )
    .action(async ({ json, oauth }: { json?: true; oauth?: string | true }, command: Command) => {
      const findings = await (oauth === undefined
        ? findingsHere(configFrom(command, terminal))
        : findingsOutside(oauth === true ? null : oauth, configFrom(command, terminal)));
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
    "wharf doctor --oauth http://127.0.0.1:4273",
  );
}

/** What is found of the instance whose settings these are. */
async function findingsHere(config: Config): Promise<Finding[]> {
  const { examine } = await import("../../doctor/doctor.ts");
  return examine(config, {
    clock: systemClock,
    user: process.getuid?.() ?? null,
    files_max: openFilesMax(process.report.getReport()),
  });
}

/** What is found over the network. `url`: the address of a service; null for that of the settings. Throws a `UsageError`. */
async function findingsOutside(url: string | null, config: Config): Promise<Finding[]> {
  const { baseOf, examineOauth } = await import("../../doctor/oauth.ts");
  // What people paste is often the address for clients.
  const base = url && optionValue("--oauth", baseUrl, url).replace(/\/mcp(?:\/account)?$/, "");
  return examineOauth(base ?? baseOf(config), { clock: systemClock });
}

const linesOf = ({ status, check, found, remedy }: Finding): string[] => [
  `${marks[status]} ${check}: ${found}`,
  ...(remedy === undefined ? [] : [`        ${remedy}`]),
];
