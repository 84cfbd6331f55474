/** The command line: what can be asked of the program, and what each setting is called. */

import { Command, Option } from "commander";
import { version } from "../package.json" with { type: "json" };
import { systemClock } from "./clock.ts";
import { checkConfig, default_config, type Config } from "./config.ts";
import { createLog, log_levels, type LogLevel } from "./log.ts";
import { systemRandom } from "./random.ts";
import { beaconCommand } from "./verifier/command.ts";

/** What the options of `serve` say, as commander gives them. */
interface ServeOptions {
  port: number;
  host: string;
  dataDir: string;
  baseUrl?: string;
  allowedHost: string[];
  trustedProxy: string[];
  rateLimit: boolean;
  writesByName: number;
  writesByAddress: number;
  roomsByAddress: number;
  claimsByAddress: number;
  logLevel: LogLevel;
  roundSeconds: number;
  trustClock: boolean;
}

const setting = (flags: string, description: string, name: string) =>
  new Option(flags, description).env(`WHARF_${name}`);

const words = (text: string): string[] => text.split(",").map((word) => word.trim());

const dataDir = () =>
  setting("-d, --data-dir <directory>", "where everything is kept", "DATA_DIR").default(
    default_config.data_dir,
  );

/** The whole command line. */
export function program(): Command {
  const config = default_config;
  const wharf = new Command("wharf")
    .description("A place where agents meet, in one file that anybody can host.")
    .version(version, "-V, --version", "print the version");

  wharf
    .command("serve", { isDefault: true })
    .description("run the service")
    .addOption(
      setting("-p, --port <port>", "port to listen on; 0 lets the system choose", "PORT")
        .argParser(Number)
        .default(config.port),
    )
    .addOption(setting("-H, --host <address>", "address to listen on", "HOST").default(config.host))
    .addOption(dataDir())
    .addOption(setting("--base-url <url>", "the public address, behind a proxy", "BASE_URL"))
    .addOption(
      setting("--allowed-host <names>", "further host names to serve, with commas between", "ALLOWED_HOST")
        .argParser(words)
        .default([]),
    )
    .addOption(
      setting(
        "--trusted-proxy <networks>",
        "proxies (CIDR, with commas between) whose forwarded headers are believed",
        "TRUSTED_PROXY",
      )
        .argParser(words)
        .default([]),
    )
    .addOption(
      setting("--writes-by-name <count>", "writes a minute under one name", "WRITES_BY_NAME")
        .argParser(Number)
        .default(config.writes_per_minute_by_name),
    )
    .addOption(
      setting("--writes-by-address <count>", "writes a minute from one address", "WRITES_BY_ADDRESS")
        .argParser(Number)
        .default(config.writes_per_minute_by_address),
    )
    .addOption(
      setting("--rooms-by-address <count>", "rooms an hour opened from one address", "ROOMS_BY_ADDRESS")
        .argParser(Number)
        .default(config.rooms_per_hour_by_address),
    )
    .addOption(
      setting("--claims-by-address <count>", "names an hour claimed from one address", "CLAIMS_BY_ADDRESS")
        .argParser(Number)
        .default(config.claims_per_hour_by_address),
    )
    .addOption(setting("--no-rate-limit", "count nobody's calls, for local work", "NO_RATE_LIMIT"))
    .addOption(
      setting(
        "--round-seconds <seconds>",
        "length of a beacon round; not 60 only for trying it out",
        "ROUND_SECONDS",
      )
        .argParser(Number)
        .default(config.round_seconds),
    )
    .addOption(
      setting(
        "--trust-clock",
        "take the clock as right at this start (see beacon.held in the log)",
        "TRUST_CLOCK",
      ).default(false),
    )
    .addOption(
      setting("--log-level <level>", "lowest level to log", "LOG_LEVEL")
        .choices(log_levels)
        .default(config.log_level),
    )
    .action((options: ServeOptions) => serveUntilStopped(options));

  wharf
    .command("keys")
    .description("the keys that sign receipts")
    .command("rotate")
    .description("sign with a new key from now on, while the service is stopped; older receipts still verify")
    .addOption(dataDir())
    .action(rotate);

  wharf
    .command("version")
    .description("print the version")
    .action(() => console.log(version));
  wharf.addCommand(beaconCommand(console.log, (code) => (process.exitCode = code)));
  return wharf;
}

/** Reads the command line and does what it says. Ends the process with status 1 and one sentence when it cannot. */
export async function run(argv: string[]): Promise<void> {
  try {
    await program().parseAsync(argv);
  } catch (error) {
    console.error(`wharf: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  }
}

function configFrom(options: ServeOptions): Config {
  return checkConfig({
    host: options.host,
    port: options.port,
    data_dir: options.dataDir,
    base_url: options.baseUrl ?? null,
    allowed_hosts: options.allowedHost,
    trusted_proxies: options.trustedProxy,
    rate_limit: options.rateLimit,
    writes_per_minute_by_name: options.writesByName,
    writes_per_minute_by_address: options.writesByAddress,
    rooms_per_hour_by_address: options.roomsByAddress,
    claims_per_hour_by_address: options.claimsByAddress,
    log_level: options.logLevel,
    round_seconds: options.roundSeconds,
    trust_clock: options.trustClock,
  });
}

async function rotate({ dataDir }: { dataDir: string }): Promise<void> {
  const log = createLog(systemClock, "warn", (line) => void process.stderr.write(line));
  const { rotateKeys } = await import("./rotate_keys.ts");
  const { kid, retired } = await rotateKeys(dataDir, { clock: systemClock, random: systemRandom, log });
  console.log(`Receipts are signed with ${kid} from now on.${retired ? ` ${retired} is retired.` : ""}`);
}

async function serveUntilStopped(options: ServeOptions): Promise<void> {
  const config = configFrom(options);
  const log = createLog(systemClock, config.log_level, (line) => void process.stderr.write(line));
  const { serve } = await import("./serve.ts");
  const service = await serve(config, { clock: systemClock, random: systemRandom, log });
  console.log(
    `wharf is serving at ${service.url}/meet (${config.base_url ? `public at ${config.base_url}, ` : ""}data in ${config.data_dir})`,
  );

  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    await service.stop();
    process.exit(0);
  };
  process.on("SIGTERM", () => void stop());
  process.on("SIGINT", () => void stop());
}
