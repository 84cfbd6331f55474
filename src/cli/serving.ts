/** Runs the service until SIGTERM or SIGINT, as `wharf serve` does. */

import { createServiceManager, passedSocket } from "../app/service_manager.ts";
import { checkOpenFiles } from "../app/open_files.ts";
import { systemClock } from "../core/clock.ts";
import { createLog } from "../core/log.ts";
import { systemRandom } from "../core/random.ts";
import type { Config } from "../core/settings.ts";
import { terminalBanner, programBanner } from "./banner.ts";
import { logFormat, readConfig, unknownVariables } from "./configuration.ts";
import type { ServeOptions } from "./plain_options.ts";
import { withSettingsFile } from "./settings_file.ts";
import type { Terminal } from "./terminal.ts";

/** How long new requests are accepted after SIGTERM. */
const linger_ms = 200;

/** Runs the service with `options`. */
export const serveWith = ({ flags, config }: ServeOptions, terminal: Terminal): Promise<void> =>
  serveUntilStopped(readConfig(...withSettingsFile(flags, terminal.environment, config)), terminal);

/** Runs the service. Resolves when it is ready. */
export async function serveUntilStopped(config: Config, terminal: Terminal): Promise<void> {
  const { args, environment, is_terminal, print, writeError } = terminal;
  checkOpenFiles(process.report.getReport());
  const log = createLog(systemClock, config.log_level, writeError, logFormat(config, terminal));
  const ignored = unknownVariables(environment);
  if (ignored.length > 0) log.warn("settings.unknown_variables", { variables: ignored });
  const { serve } = await import("../app/serve.ts");
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
  const banner = is_terminal ? terminalBanner : programBanner;
  const lines = banner(service.urls, config, service.metrics_url, args[0] !== "serve");
  print(lines.join("\n"));
  service.prepare();
  ready();
  Bun.unsafe.setJITPolicy(1);
}
