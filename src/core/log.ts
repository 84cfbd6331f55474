/** The log: one line of JSON for each event. Removes secrets. */

import { isoTime, type Clock } from "./clock.ts";
import { hideSecrets } from "./secrets.ts";
import { jsonLine } from "./text.ts";

export const log_levels = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof log_levels)[number];

export type Log = Record<LogLevel, (event: string, fields?: Record<string, unknown>) => void>;

/** The stack of an error, or the text of any other thrown value. */
export const errorText = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

/** A log that passes lines of level `lowest` and above to `write`. */
export function createLog(clock: Clock, lowest: LogLevel, write: (line: string) => void): Log {
  const at =
    (level: LogLevel) =>
    (event: string, fields: Record<string, unknown> = {}) => {
      if (log_levels.indexOf(level) < log_levels.indexOf(lowest)) return;
      // An unexpected address or error may contain a secret.
      write(hideSecrets(jsonLine({ at: isoTime(clock.now()), level, event, ...fields })) + "\n");
    };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}
