/** `wharf serve`: runs the service until SIGTERM or SIGINT. */

import { Command } from "commander";
import { UsageError } from "../../core/settings.ts";
import { serveUntilStopped } from "../serving.ts";
import { withExamples, type Terminal } from "../terminal.ts";
import { configFrom, withAllSettings } from "../setting_options.ts";

export function serveCommand(terminal: Terminal): Command {
  const serve = new Command("serve")
    .description("run the service; 'wharf' alone does the same")
    .allowExcessArguments(true);
  withAllSettings(serve).action((_options, command: Command) => {
    const [word] = command.args;
    if (word !== undefined) {
      throw new UsageError(`'${word}' is too much: a command comes first, and 'serve' takes options alone.`);
    }
    return serveUntilStopped(configFrom(command, terminal), terminal);
  });
  return withExamples(
    serve,
    "wharf serve --port 4273 --data-dir ./wharf-data",
    "wharf serve --host 0.0.0.0 --base-url https://wharf.example",
  );
}
