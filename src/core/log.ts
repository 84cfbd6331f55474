/** The log: one JSON line an event. Values are data, so nothing in them can break a line; no secret comes through it. */

import { isoTime, type Clock } from "./clock.ts";
import { hideSecrets } from "./secrets.ts";
import { jsonLine } from "./text.ts";

export const log_levels = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof log_levels)[number];

export type Log = Record<LogLevel, (event: string, fields?: Record<string, unknown>) => void>;

/** Whatever was thrown, with where it came from. */
export const errorText = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

/** A log that writes lines of `lowest` level and above through `write`. */
export function createLog(clock: Clock, lowest: LogLevel, write: (line: string) => void): Log {
  const at =
    (level: LogLevel) =>
    (event: string, fields: Record<string, unknown> = {}) => {
      if (log_levels.indexOf(level) < log_levels.indexOf(lowest)) return;
      // A secret may stand in an address or an error that nobody foresaw.
      write(hideSecrets(jsonLine({ at: isoTime(clock.now()), level, event, ...fields })) + "\n");
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}
