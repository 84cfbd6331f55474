/**
 * Every setting of the service in one table. It gives the flags, the environment variables, the defaults, the checks and
 * the table in docs/operating.md. A new setting is one more row here.
 */

import type { LogLevel } from "./log.ts";
import {
  baseUrl,
  count,
  hostNameOf,
  isOn,
  listenAddress,
  logLevel,
  loopback,
  networks,
  nonEmpty,
  roundSeconds,
  sizeBytes,
  webOrigin,
  wholeNumber,
  words,
} from "./setting_values.ts";
import { UsageError } from "./usage_error.ts";

export interface Setting<Value> {
  /** The flag without dashes; the environment variable follows from it: `data-dir` is WHARF_DATA_DIR. */
  flag: string;
  /** One letter that stands for the flag. */
  short?: string;
  /** What the flag's value is called in the help; null for a switch, which takes none. */
  value_name: string | null;
  description: string;
  default: Value;
  /** The default as the documents show it, where the value does not say it. */
  default_shown?: string;
  /** The value that a text stands for. Throws an `Error` whose message is the rule: "must be …". */
  parse(text: string): Value;
}

// The rows are written as plain objects of the type above; this keeps the type of each one's value.
const setting = <Value>(row: Setting<Value>): Setting<Value> => row;

export const settings = {
  port: setting<number>({
    flag: "port",
    short: "p",
    value_name: "port",
    description: "port to listen on; 0 lets the system choose",
    default: 4273,
    parse: wholeNumber(0, 65_535, "must be a whole number from 0 to 65535"),
  }),
  host: setting<string>({
    flag: "host",
    short: "H",
    value_name: "address",
    description: "IP address to listen on, or localhost; 0.0.0.0 for all of IPv4, :: for all",
    default: "127.0.0.1",
    parse: listenAddress,
  }),
  data_dir: setting<string>({
    flag: "data-dir",
    short: "d",
    value_name: "directory",
    description: "where everything is kept",
    default: "./wharf-data",
    parse: nonEmpty,
  }),
  disk_max_bytes: setting<number>({
    flag: "disk-max",
    value_name: "size",
    description: "how much the data directory may hold; beyond it writes are refused; 0: no limit",
    default: 10_000_000_000,
    default_shown: "10GB",
    parse: sizeBytes,
  }),
  /** Null: by the size of the disk. */
  disk_min_free_bytes: setting<number | null>({
    flag: "disk-min-free",
    value_name: "size",
    description: "how much of its disk must stay free; beyond that writes are refused; 0: nothing",
    default: null,
    default_shown: "500MB, or 5 % of a disk under 10GB",
    parse: sizeBytes,
  }),
  /** Without a slash at the end; null: each request's own. */
  base_url: setting<string | null>({
    flag: "base-url",
    value_name: "url",
    description: "the public address, behind a proxy",
    default: null,
    default_shown: "each request's own",
    parse: baseUrl,
  }),
  /** Served beside localhost, IP addresses and the base URL's host. */
  allowed_hosts: setting<string[]>({
    flag: "allowed-host",
    value_name: "names",
    description: "further host names to serve, with commas between",
    default: [],
    parse: (text) => words(text).map(hostNameOf),
  }),
  /** Without effect on a public service, which any web page may call. */
  allowed_origins: setting<string[]>({
    flag: "allowed-origin",
    value_name: "origins",
    description:
      "origins of web pages that may call a service without a public base URL, with commas between",
    default: [],
    parse: (text) => words(text).map(webOrigin),
  }),
  /** CIDR blocks. */
  trusted_proxies: setting<string[]>({
    flag: "trusted-proxy",
    value_name: "networks",
    description: "addresses and networks of proxies to believe, with commas between; or private, or none",
    default: loopback,
    default_shown: "loopback",
    parse: (text) => words(text).flatMap(networks),
  }),
  reads_per_minute_by_address: setting<number>({
    flag: "reads-by-address",
    value_name: "count",
    description:
      "requests a minute from one address, whatever they ask for (IPv6: one /64; a /48 has 8 times as many)",
    default: 3_000,
    parse: count,
  }),
  searches_per_minute_by_address: setting<number>({
    flag: "searches-by-address",
    value_name: "count",
    description: "searches a minute from one address",
    default: 60,
    parse: count,
  }),
  writes_per_minute_by_name: setting<number>({
    flag: "writes-by-name",
    value_name: "count",
    description: "writes a minute under one name",
    default: 60,
    parse: count,
  }),
  writes_per_minute_by_address: setting<number>({
    flag: "writes-by-address",
    value_name: "count",
    description: "writes a minute from one address",
    default: 240,
    parse: count,
  }),
  rooms_per_hour_by_address: setting<number>({
    flag: "rooms-by-address",
    value_name: "count",
    description: "rooms an hour opened from one address",
    default: 20,
    parse: count,
  }),
  claims_per_hour_by_address: setting<number>({
    flag: "claims-by-address",
    value_name: "count",
    description: "names an hour claimed from one address",
    default: 10,
    parse: count,
  }),
  streams_by_address: setting<number>({
    flag: "streams-by-address",
    value_name: "count",
    description: "streams and waits that one address may have open, together",
    default: 500,
    parse: count,
  }),
  listens_by_address: setting<number>({
    flag: "listens-by-address",
    value_name: "count",
    description: "MCP streams of subscriptions/listen that one address may have open",
    default: 200,
    parse: count,
  }),
  mcp_sessions_by_address: setting<number>({
    flag: "sessions-by-address",
    value_name: "count",
    description: "MCP sessions that are kept for one address; a further one ends the one it used longest ago",
    default: 200,
    parse: count,
  }),
  open_requests_by_address: setting<number>({
    flag: "open-requests-by-address",
    value_name: "count",
    description: "requests of one address that are received and answered at the same time",
    default: 1_000,
    parse: count,
  }),
  held_jobs_by_name: setting<number>({
    flag: "held-jobs-by-name",
    value_name: "count",
    description: "jobs that one name may hold at a time",
    default: 5,
    parse: count,
  }),
  /** Whether calls are counted at all; the flag switches it off. */
  rate_limit: setting<boolean>({
    flag: "no-rate-limit",
    value_name: null,
    description: "count nobody's calls, for local work",
    default: true,
    parse: (text) => !isOn(text),
  }),
  /** Other than 60: for trying it out, and said in every answer. */
  round_seconds: setting<number>({
    flag: "round-seconds",
    value_name: "seconds",
    description: "length of a beacon round; other than 60 only to try things out: every answer says so",
    default: 60,
    parse: roundSeconds,
  }),
  trust_clock: setting<boolean>({
    flag: "trust-clock",
    value_name: null,
    description:
      "take the clock as right at this start, although the uptime since an earlier one says otherwise",
    default: false,
    parse: isOn,
  }),
  log_level: setting<LogLevel>({
    flag: "log-level",
    value_name: "level",
    description: "debug, info, warn or error; one JSON line an event on standard error",
    default: "info",
    parse: logLevel,
  }),
} as const;

type Rows = typeof settings;
export type SettingName = keyof Rows;

/** The value of every setting. */
export type Config = { [Name in SettingName]: Rows[Name]["default"] };

export const setting_names = Object.keys(settings) as SettingName[];

export const default_config = Object.fromEntries(
  setting_names.map((name) => [name, settings[name].default]),
) as Config;

export const variableOf = ({ flag }: Setting<unknown>): string =>
  `WHARF_${flag.toUpperCase().replaceAll("-", "_")}`;

/** The default as help and documents show it; empty where nothing is set. */
export function defaultShown(name: SettingName): string {
  const row: Setting<unknown> = settings[name];
  return row.default_shown ?? (row.value_name === null ? "" : String(row.default ?? ""));
}

/** The text of a setting, and the flag or variable that gave it, as it was written. */
export interface Written {
  text: string;
  as: string;
}

/**
 * The configuration that flags and environment give: a flag goes before its variable, that before the default. A switch
 * has the text "true". Throws a `UsageError` that names the flag or the variable as it was written, and the rule that it
 * breaks.
 */
export function readConfig(
  flags: Partial<Record<SettingName, Written>>,
  environment: Record<string, string | undefined>,
): Config {
  const config: Partial<Record<SettingName, unknown>> = {};
  for (const name of setting_names) {
    const row: Setting<unknown> = settings[name];
    const variable = variableOf(row);
    const text = environment[variable];
    const written = flags[name] ?? (text === undefined ? undefined : { text, as: variable });
    config[name] = written ? parsed(row, written) : row.default;
  }
  return config as Config;
}

function parsed(row: Setting<unknown>, { text, as }: Written): unknown {
  if (text === "") throw new UsageError(`${as} is empty: give it a value, or leave it out.`);
  try {
    return row.parse(text);
  } catch (error) {
    throw new UsageError(`${as} ${(error as Error).message}.`, { cause: error });
  }
}
