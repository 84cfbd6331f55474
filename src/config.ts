/** What a host may set, and what holds when nothing is set. */

import ipaddr from "ipaddr.js";
import type { LogLevel } from "./log.ts";
import type { UsageSettings } from "./usage.ts";

export interface Config extends UsageSettings {
  host: string;
  port: number;
  data_dir: string;
  /** The public origin (and path, behind a proxy that adds one), without a slash at the end; else each request's own. */
  base_url: string | null;
  /** Host names that are served beside localhost, IP addresses and the base URL's. */
  allowed_hosts: string[];
  /** Networks (CIDR) of proxies whose X-Forwarded-For and X-Forwarded-Proto are believed. */
  trusted_proxies: string[];
  log_level: LogLevel;
  /** How long a round of the beacon lasts. Other than 60: for trying it out, and said in every answer. */
  round_seconds: number;
  /** Takes the clock as right at this start, although the machine's uptime says otherwise. */
  trust_clock: boolean;
}

export const default_config: Config = {
  host: "127.0.0.1",
  port: 4273,
  data_dir: "./wharf-data",
  base_url: null,
  allowed_hosts: [],
  trusted_proxies: [],
  log_level: "info",
  round_seconds: 60,
  trust_clock: false,
  rate_limit: true,
  writes_per_minute_by_name: 60,
  writes_per_minute_by_address: 240,
  rooms_per_hour_by_address: 20,
  claims_per_hour_by_address: 10,
};

/** Checks a whole configuration. Throws an error that names the setting and what it takes. */
export function checkConfig(config: Config): Config {
  if (!Number.isInteger(config.port) || config.port < 0 || config.port > 65_535) {
    refuse("port", "must be a whole number from 0 to 65535");
  }
  for (const network of config.trusted_proxies) {
    if (!ipaddr.isValidCIDR(network)) refuse("trusted-proxy", "must be a network such as 10.0.0.0/8");
  }
  for (const setting of [
    "writes_per_minute_by_name",
    "writes_per_minute_by_address",
    "rooms_per_hour_by_address",
    "claims_per_hour_by_address",
  ] as const) {
    if (!Number.isInteger(config[setting]) || config[setting] < 1) {
      refuse(setting.replaceAll("_", "-"), "must be a whole number above 0");
    }
  }
  if (
    !Number.isInteger(config.round_seconds) ||
    config.round_seconds < 1 ||
    60 % config.round_seconds !== 0
  ) {
    refuse("round-seconds", "must be 60, or to try things out a whole number that divides it");
  }
  if (config.base_url === null) return config;
  const url = URL.parse(config.base_url);
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) {
    return refuse("base-url", "must be an http or https address such as https://wharf.example");
  }
  return { ...config, base_url: url.href.replace(/\/+$/, "") };
}

function refuse(setting: string, rule: string): never {
  throw new Error(`${setting} ${rule}`);
}
