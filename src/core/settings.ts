/**
 * All settings of the service in one table: flags, environment variables, defaults and checks. The table in docs/operating.md
 * is generated from it. To add a setting, add a row.
 */

import { log_levels, type LogLevel } from "./log.ts";
import {
  baseUrl,
  count,
  hostNameOf,
  isOn,
  listenAddress,
  loopback,
  networks,
  nonEmpty,
  oneOf,
  roundSeconds,
  sizeBytes,
  webOrigin,
  wholeNumber,
  words,
} from "./setting_values.ts";

export interface Setting<Value> {
  /** The flag without dashes. The environment variable is derived from it: WHARF_DATA_DIR for `data-dir`. */
  flag: string;
  /** The flag as one letter. */
  short?: string;
  /** The name of the flag's value in the help; null for a switch, which has no value. */
  value_name: string | null;
  description: string;
  default: Value;
  /** The default in documents, if different from the value. */
  default_shown?: string;
  /** Parses a value. Throws an `Error` whose message is the broken rule: "must be …". */
  parse(text: string): Value;
}

/** A row of the table with the type of its value. */
const setting = <Value>(row: Setting<Value>): Setting<Value> => row;

/** A limit for each address or name: a whole number above 0. */
const quota = (flag: string, by_default: number, description: string): Setting<number> => ({
  flag,
  value_name: "count",
  description,
  default: by_default,
  parse: count,
});

/** An error in the command line or in an environment variable. The program prints its message and exits with status 2. */
export class UsageError extends Error {
  override name = "UsageError";
}

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
  /** Null: depends on the size of the disk. */
  disk_min_free_bytes: setting<number | null>({
    flag: "disk-min-free",
    value_name: "size",
    description: "how much of its disk must stay free; beyond that writes are refused; 0: nothing",
    default: null,
    default_shown: "500MB, or 5 % of a disk under 10GB",
    parse: sizeBytes,
  }),
  /** Without a slash at the end; null: the address in each request. */
  /** Null: wharf.sock in the data directory. */
  admin_socket: setting<string | null>({
    flag: "admin-socket",
    value_name: "path",
    description: "unix socket by which the owner of the data directory runs the instance, or off",
    default: null,
    default_shown: "wharf.sock in the data directory",
    parse: nonEmpty,
  }),
  base_url: setting<string | null>({
    flag: "base-url",
    value_name: "url",
    description: "the public address, behind a proxy",
    default: null,
    default_shown: "each request's own",
    parse: baseUrl,
  }),
  /** Served in addition to localhost, IP addresses and the host of the base URL. */
  allowed_hosts: setting<string[]>({
    flag: "allowed-host",
    value_name: "names",
    description: "further host names to serve, with commas between",
    default: [],
    parse: (text) => words(text).map(hostNameOf),
  }),
  /** No effect on a public service, which any web page may call. */
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
  read: setting<"anyone" | "members">({
    flag: "read",
    value_name: "who",
    description: "who may read: anyone, or members (the holders of claimed names)",
    default: "anyone",
    parse: oneOf("anyone", "members"),
  }),
  /** `members` is the same as `claimed`: the holder of a claimed name is a member. */
  speak: setting<"anyone" | "claimed" | "members">({
    flag: "speak",
    value_name: "who",
    description:
      "who may open rooms and post: anyone, or claimed, or members (the same: the holders of claimed names)",
    default: "anyone",
    parse: oneOf("anyone", "claimed", "members"),
  }),
  claims: setting<"open" | "invite" | "closed">({
    flag: "claims",
    value_name: "how",
    description: "whether names can be claimed: open, invite (with an invitation), or closed",
    default: "open",
    parse: oneOf("open", "invite", "closed"),
  }),
  reads_per_minute_by_address: quota(
    "reads-by-address",
    3_000,
    "requests a minute from one address, whatever they ask for (IPv6: one /64; a /48 has 8 times as many)",
  ),
  searches_per_minute_by_address: quota("searches-by-address", 60, "searches a minute from one address"),
  writes_per_minute_by_name: quota("writes-by-name", 60, "writes a minute under one name"),
  writes_per_minute_by_address: quota("writes-by-address", 240, "writes a minute from one address"),
  rooms_per_hour_by_address: quota("rooms-by-address", 20, "rooms an hour opened from one address"),
  claims_per_hour_by_address: quota("claims-by-address", 10, "names an hour claimed from one address"),
  streams_by_address: quota(
    "streams-by-address",
    500,
    "streams and waits that one address may have open, together",
  ),
  listens_by_address: quota(
    "listens-by-address",
    200,
    "MCP streams of subscriptions/listen that one address may have open",
  ),
  mcp_sessions_by_address: quota(
    "sessions-by-address",
    200,
    "MCP sessions that are kept for one address; a further one ends the one it used longest ago",
  ),
  open_requests_by_address: quota(
    "open-requests-by-address",
    1_000,
    "requests of one address that are received and answered at the same time",
  ),
  held_jobs_by_name: quota("held-jobs-by-name", 5, "jobs that one name may hold at a time"),
  /** The flag switches rate limits off. */
  rate_limit: setting<boolean>({
    flag: "no-rate-limit",
    value_name: null,
    description: "count nobody's calls, for local work",
    default: true,
    parse: (text) => !isOn(text),
  }),
  /** Values other than 60 are for tests: every response of the beacon says so. */
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
    parse: oneOf(...log_levels),
  }),
} as const;

type Rows = typeof settings;
export type SettingName = keyof Rows;

/** The values of all settings. */
export type Config = { [Name in SettingName]: Rows[Name]["default"] };

export const setting_names = Object.keys(settings) as SettingName[];

export const default_config = Object.fromEntries(
  setting_names.map((name) => [name, settings[name].default]),
) as Config;

export const variableOf = ({ flag }: Setting<unknown>): string =>
  `WHARF_${flag.toUpperCase().replaceAll("-", "_")}`;

/** The default in help and documents; empty if there is none. */
export function defaultShown(name: SettingName): string {
  const row: Setting<unknown> = settings[name];
  return row.default_shown ?? (row.value_name === null ? "" : String(row.default ?? ""));
}

/** The text of a setting, and the flag or variable that it comes from, as the operator wrote it. */
export interface Written {
  text: string;
  as: string;
}

/**
 * Reads the configuration. A flag overrides its variable, which overrides the default. A switch has the text "true". Throws
 * a `UsageError` that names the flag or the variable and the broken rule.
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
