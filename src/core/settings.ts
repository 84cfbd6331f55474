/**
 * All settings in one table: flags, environment variables, keys of the settings file, defaults and checks. The table in
 * docs/operating.md is generated from it. To add a setting, add a row.
 */

import { database_settings } from "./database_settings.ts";
import { pace_setting } from "./pace_setting.ts";
import { quotas } from "./quotas.ts";
import { retention_settings } from "./retention.ts";
import { setting, switchedOff, switchedOn, type Setting } from "./setting.ts";
import {
  baseUrl,
  contact,
  duration,
  fileMode,
  hostNameOf,
  listenAddress,
  loopback,
  networks,
  nonEmpty,
  oneOf,
  roundSeconds,
  sizeBytes,
  title,
  webAddress,
  webOrigin,
  wholeNumber,
  words,
} from "./setting_values.ts";
import { watch_settings } from "./watch_settings.ts";
import { webhook_settings } from "./webhook_settings.ts";

/** An error in the command line, an environment variable or the settings file. The program prints its message and exits with status 2. */
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
  /** Null: the host and port. */
  socket: setting<string | null>({
    flag: "socket",
    value_name: "path",
    description: "unix socket to listen on, in place of a host and a port",
    default: null,
    parse: nonEmpty,
  }),
  /** In octal digits. */
  socket_mode: setting<string>({
    flag: "socket-mode",
    value_name: "mode",
    description: "permissions of that socket: who may open it",
    default: "0660",
    parse: fileMode,
  }),
  tls_cert: setting<string | null>({
    flag: "tls-cert",
    value_name: "file",
    description: "certificate for https in PEM, with those that lead to its root; SIGHUP reads it again",
    default: null,
    parse: nonEmpty,
  }),
  tls_key: setting<string | null>({
    flag: "tls-key",
    value_name: "file",
    description: "private key of that certificate in PEM, without a passphrase",
    default: null,
    parse: nonEmpty,
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
  /** Null: wharf.sock in the data directory. */
  admin_socket: setting<string | null>({
    flag: "admin-socket",
    value_name: "path",
    description: "unix socket by which the owner of the data directory runs the instance, or off",
    default: null,
    default_shown: "wharf.sock in the data directory",
    parse: nonEmpty,
  }),
  /** Without a slash at the end; null: the address in each request. */
  base_url: setting<string | null>({
    flag: "base-url",
    value_name: "url",
    description: "the public address, behind a proxy; it may have a path",
    default: null,
    default_shown: "each request's own",
    parse: baseUrl,
  }),
  title: setting<string | null>({
    flag: "title",
    value_name: "text",
    description: "the name of this instance, on its pages and in its documents",
    default: null,
    default_shown: "Wharf",
    parse: title,
  }),
  contact: setting<string | null>({
    flag: "contact",
    value_name: "address",
    description: "how to reach its operator: an e-mail or web address, on its pages and in its documents",
    default: null,
    parse: contact,
  }),
  terms_url: setting<string | null>({
    flag: "terms-url",
    value_name: "url",
    description: "its terms of use, linked from its pages and its documents",
    default: null,
    parse: webAddress,
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
  oauth: switchedOn(
    "oauth",
    "let programs sign in by OAuth under claimed names, at /mcp/account; fetches documents from addresses that they name",
  ),
  /** CIDR blocks. */
  fetch_allow: setting<string[]>({
    flag: "fetch-allow",
    value_name: "networks",
    description:
      "private networks that may be called for such documents and by webhooks, with commas between",
    default: [],
    default_shown: "none: public addresses only",
    parse: (text) => words(text).flatMap(networks),
  }),
  ...webhook_settings,
  ...quotas,
  pace: pace_setting,
  rate_limit: switchedOff("no-rate-limit", "count nobody's calls, for local work"),
  /** Values other than 60 are for tests: every response of the beacon says so. */
  round_seconds: setting<number>({
    flag: "round-seconds",
    value_name: "seconds",
    description: "length of a beacon round; other than 60 only to try things out: every answer says so",
    default: 60,
    parse: roundSeconds,
  }),
  trust_clock: switchedOn(
    "trust-clock",
    "take the clock as right at this start, although the uptime since an earlier one says otherwise",
  ),
  /** 0: no backups. */
  backup_every_seconds: setting<number>({
    flag: "backup-every",
    value_name: "time",
    description: "make a backup at this interval, such as 6h; 0: none",
    default: 0,
    default_shown: "0",
    parse: duration,
  }),
  backup_keep: setting<number>({
    flag: "backup-keep",
    value_name: "count",
    description: "how many of these backups stay; older ones are removed after the next success",
    default: 7,
    parse: wholeNumber(1, 10_000, "must be a whole number from 1 to 10000"),
  }),
  /** Null: a folder of the data directory. */
  backup_dir: setting<string | null>({
    flag: "backup-dir",
    value_name: "directory",
    description: "where these backups are written",
    default: null,
    default_shown: "backups in the data directory",
    parse: nonEmpty,
  }),
  backup_compress: switchedOn("backup-compress", "compress these backups with zstd"),
  ...retention_settings,
  moved: switchedOn(
    "moved",
    "take the database for the original, although it is in another place than at its last start",
  ),
  accept_loss: switchedOn(
    "accept-loss",
    "start although acknowledged writes are lost from the log of the database",
  ),
  ...database_settings,
  ...watch_settings,
  /** Read by commands that call a service over the network, not by the service. */
  admin_token: setting<string | null>({
    flag: "admin-token",
    value_name: "token",
    description: "the token of an admin, for wharf admin with --url",
    default: null,
    secret: true,
    parse: nonEmpty,
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

/** The default in help and documents; empty if there is none. */
export function defaultShown(name: SettingName): string {
  const row: Setting<unknown> = settings[name];
  return row.default_shown ?? String(row.value_name === null ? "" : (row.default ?? ""));
}
