/** `wharf dev`: runs the service for test suites, which can put it back to the start and set its clock. */

import { Command } from "commander";
import { parseTime, systemClock } from "../../core/clock.ts";
import { isLoopbackName } from "../../core/public_hosts.ts";
import { systemRandom } from "../../core/random.ts";
import { wholeNumber } from "../../core/setting_values.ts";
import type { SettingName } from "../../core/settings.ts";
import { withExamples, type Terminal } from "../terminal.ts";
import { optionValue } from "../option_value.ts";
import { logFormat } from "../configuration.ts";
import { configFrom, withSettings } from "../setting_options.ts";

interface Options {
  memory?: true;
  seed?: string;
  at?: string;
  frozen?: true;
  untilStdinEnds?: true;
  json?: true;
}

const setting_options: SettingName[] = [
  "port",
  "host",
  "allowed_hosts",
  "round_seconds",
  "read",
  "speak",
  "claims",
  "log_level",
  "log_format",
  "access_log",
];
const seed_max = 2 ** 32 - 1;
/** Where the clock starts with a seed, so that times are the same in each run. */
const start_with_seed = "2030-01-01T00:00:00.000Z";

export function devCommand(terminal: Terminal): Command {
  const dev = new Command("dev")
    .description("run the service for tests: new data, no limits, and calls below /_dev that set its clock")
    .option("--memory", "keep the data in memory, otherwise in a directory that is deleted at the end")
    .option("--seed <number>", "repeat the ids, keys and beacon of this number (default: a random one)")
    .option("--at <time>", `the time to start at (default: now, or with --seed ${start_with_seed})`)
    .option("--frozen", "stop the clock: only POST /_dev/clock moves it")
    .option(
      "--until-stdin-ends",
      "stop when standard input ends, so that no end of a test run leaves it behind",
    )
    .option("--json", "print one JSON object with url, pid, data_dir and seed instead of the URL");
  withSettings(dev, setting_options).action((options: Options, command: Command) =>
    runDevelopment(options, command, terminal),
  );
  return withExamples(
    dev,
    "wharf dev --memory --port 0 --seed 1",
    "wharf dev --at 2030-01-01T00:00:00Z --frozen --json",
  );
}

async function runDevelopment(options: Options, command: Command, terminal: Terminal): Promise<void> {
  const settings = configFrom(command, terminal);
  const config = { ...settings, log_format: logFormat(settings, terminal) };
  const seed = seedOf(options.seed);
  const { serveDevelopment } = await import("../../dev/serve.ts");
  const service = await serveDevelopment({
    config,
    in_memory: options.memory ?? false,
    seed,
    at_ms: startOf(options),
    is_frozen: options.frozen ?? false,
    writeLog: terminal.writeError,
  });
  let stopping: Promise<void> | undefined;
  const stop = () => void (stopping ??= service.stop().then(() => process.exit(0)));
  let signals = 0;
  function stopBySignal(): void {
    if (signals++ === 0) return stop();
    service.removeData();
    process.exit(1);
  }
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, stopBySignal);
  // A pipe ends with the program that holds its other end, even if that program is killed.
  if (options.untilStdinEnds) process.stdin.on("end", stop).on("error", stop).resume();
  const { url, data_dir } = service;
  terminal.print(options.json ? JSON.stringify({ url, pid: process.pid, data_dir, seed }) : url);
  if (!isLoopbackName(config.host)) {
    terminal.writeError(
      `wharf: WARNING: ${config.host} can be reached from other machines. Whoever reaches it can read, change and delete everything here. Use wharf serve for anything but tests.\n`,
    );
  }
}

function seedOf(text: string | undefined): number {
  if (text === undefined) return new DataView(systemRandom.bytes(4).buffer as ArrayBuffer).getUint32(0);
  const rule = `must be a whole number from 0 to ${seed_max}, not '${text}'`;
  return optionValue("--seed", wholeNumber(0, seed_max, rule), text);
}

/** The time to start at, in unix milliseconds. */
function startOf({ at, seed }: Options): number {
  if (at === undefined) return seed === undefined ? systemClock.now() : Date.parse(start_with_seed);
  const parse = (text: string) => {
    const time = parseTime(text);
    if (time === null) throw new Error(`must be a time such as 2030-01-01T00:00:00Z, not '${text}'`);
    return Date.parse(time);
  };
  return optionValue("--at", parse, at);
}
