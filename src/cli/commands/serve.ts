/** `wharf serve`: runs the service until SIGTERM or SIGINT. */

import { Command } from "commander";
import { createServiceManager, passedSocket } from "../../app/service_manager.ts";
import { checkOpenFiles } from "../../app/open_files.ts";
import { systemClock } from "../../core/clock.ts";
import { createLog } from "../../core/log.ts";
import { systemRandom } from "../../core/random.ts";
import { setting_names, UsageError, type Config } from "../../core/settings.ts";
import { terminalBanner, programBanner } from "../banner.ts";
import { unknownVariables } from "../configuration.ts";
import { withExamples, type Terminal } from "../terminal.ts";
import { configFrom, logFormat, withSettings } from "../setting_options.ts";

/** How long new requests are accepted after SIGTERM. */
const linger_ms = 200;

export function serveCommand(terminal: Terminal): Command {
  const serve = new Command("serve").description("run the service").allowExcessArguments(true);
  withSettings(serve, setting_names).action((_options, command: Command) => {
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

async function serveUntilStopped(config: Config, terminal: Terminal): Promise<void> {
  const { environment, is_terminal, print, writeError } = terminal;
  checkOpenFiles(process.report.getReport());
  const log = createLog(systemClock, config.log_level, writeError, logFormat(config, terminal));
  const ignored = unknownVariables(environment);
  if (ignored.length > 0) log.warn("settings.unknown_variables", { variables: ignored });
  const { serve } = await import("../../app/serve.ts");
  const linger = () => new Promise<void>((resolve) => systemClock.after(linger_ms, resolve));
  const passed_fd = passedSocket(environment);
  const service = await serve(config, {
    clock: systemClock,
    follows_database: true,
    random: systemRandom,
    log,
    linger,
    passed_fd,
  });
  const manager = createServiceManager(environment, systemClock, service.isWorking);
  const ready = () => manager.ready(`serving at ${service.urls.join(", ")}`);
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    manager.stopping();
    await service.stop();
    log.close();
    process.exit(0);
  };
  process.on("SIGTERM", () => void stop());
  process.on("SIGINT", () => void stop());
  process.on("SIGHUP", () => {
    if (stopping) return;
    manager.reloading();
    service.reload();
    ready();
  });
  // After the handlers: a program that reads this line may stop the service at once.
  const lines = (is_terminal ? terminalBanner : programBanner)(service.urls, config, service.metrics_url);
  print(lines.join("\n"));
  service.prepare();
  ready();
  Bun.unsafe.setJITPolicy(1);
}
