/** `wharf openapi`: prints the OpenAPI document of this version, without a service. */

import { Command } from "commander";
import { systemClock } from "../../core/clock.ts";
import { createLog } from "../../core/log.ts";
import { systemRandom } from "../../core/random.ts";
import { retention_names } from "../../core/retention.ts";
import { default_config, type SettingName } from "../../core/settings.ts";
import { withExamples, type Terminal } from "../terminal.ts";
import { configFrom, withSettings } from "../setting_options.ts";

/** The settings that the document shows. */
const shown: SettingName[] = [
  "base_url",
  "title",
  "contact",
  "terms_url",
  "read",
  "speak",
  "claims",
  "webhooks",
  ...retention_names,
];

/** The address of a service with the default settings. */
const default_url = `http://${default_config.host}:${default_config.port}`;

export function openApiCommand(terminal: Terminal): Command {
  const command = new Command("openapi")
    .description("print the OpenAPI document of this version, as GET /openapi.json returns it")
    .addHelpText("after", `\nWithout --base-url the address of the document is ${default_url}.`)
    .action(async () => {
      const config = configFrom(command, terminal);
      const log = createLog(systemClock, "error", terminal.writeError);
      const { describeApi } = await import("../../app/openapi.ts");
      const base = config.base_url ?? default_url;
      const document = await describeApi(config, base, { clock: systemClock, random: systemRandom, log });
      terminal.print(JSON.stringify(document));
    });
  return withExamples(
    withSettings(command, shown),
    "wharf openapi > openapi.json",
    "wharf openapi --base-url https://wharf.example",
  );
}
