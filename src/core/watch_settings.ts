/** Settings: what an operator sees of the running service. */

import { log_formats, log_levels, type LogFormat, type LogLevel } from "./log.ts";
import { setting } from "./setting.ts";
import { addressAndPort, oneOf } from "./setting_values.ts";

export const watch_settings = {
  log_level: setting<LogLevel>({
    flag: "log-level",
    value_name: "level",
    description: "debug, info, warn or error; one line an event on standard error",
    default: "info",
    parse: oneOf(...log_levels),
  }),
  /** Null: json, or text if the log is shown at a terminal. */
  log_format: setting<LogFormat | null>({
    flag: "log-format",
    value_name: "format",
    description: "the form of these lines: json, or text, which is easier to read",
    default: null,
    default_shown: "json; text at a terminal",
    parse: oneOf(...log_formats),
  }),
  access_log: setting<"off" | "full" | "short">({
    flag: "access-log",
    value_name: "mode",
    description: "a line for each request: off, full, or short (addresses cut to /24 and /48)",
    default: "off",
    parse: oneOf("off", "full", "short"),
  }),
  metrics_listen: setting<string | null>({
    flag: "metrics-listen",
    value_name: "address",
    description: "address and port that serve metrics for Prometheus at /metrics, and nothing else",
    default: null,
    default_shown: "off",
    parse: addressAndPort,
  }),
};
