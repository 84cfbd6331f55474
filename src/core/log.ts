/** The log: one line for each event, as JSON or as text. Removes secrets, and folds equal warnings and errors. */

import { isoTime, type Clock } from "./clock.ts";
import { failureOf, remedyOf } from "./failures.ts";
import { RepeatedLines, type LogLine } from "./repeated_lines.ts";
import { hideSecrets } from "./secrets.ts";
import { jsonLine, revealDeceptive } from "./text.ts";

export const log_levels = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof log_levels)[number];

export const log_formats = ["json", "text"] as const;
export type LogFormat = (typeof log_formats)[number];

export type Log = Record<LogLevel, (event: string, fields?: Record<string, unknown>) => void>;

/** The message of an error, in words if the system failed, or the text of any other thrown value. */
export const messageOf = (error: unknown): string =>
  failureOf(error)?.happened ?? (error instanceof Error ? error.message : String(error));

/** The same as sentences, with what to do if the system failed, for the user of a command. */
export function explained(error: unknown): string {
  const happened = failureOf(error)?.happened.replace(/^[a-z]/, (letter) => letter.toUpperCase());
  const [text, remedy] = [happened ?? messageOf(error), remedyOf(error)];
  return remedy === null || text.includes(remedy) ? text : `${text.replace(/\.?$/, ".")} ${remedy}`;
}

/** A user-facing error: what cannot be done, and why. */
export const withReason = (what: string, error: unknown): Error =>
  new Error(`${what}: ${messageOf(error).replace(/\.$/, "")}.`, { cause: error });

/** The stack of an error, or the text of any other thrown value. */
export const errorText = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

/** A value that a reader of `name=value` needs no quotes for. */
const plain_value = /^[\w.:/@+-]+$/;

const forms: Record<LogFormat, (line: LogLine) => string> = {
  json: ({ at, level, event, fields }) => jsonLine({ at, level, event, ...fields }),
  /** `2026-03-01T12:00:00.000Z WARN  host.refused host=a.example hint="Allow it."` */
  text({ at, level, event, fields }) {
    const shown = Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => {
        const text = typeof value === "string" && plain_value.test(value) ? value : jsonLine(value);
        return ` ${name}=${text}`;
      });
    // A terminal may show it.
    return revealDeceptive(`${at} ${level.toUpperCase().padEnd(5)} ${event}${shown.join("")}`);
  },
};

/**
 * A log that passes lines of level `lowest` and above to `write`. Warnings and errors that differ only in their time and
 * their request are folded (`RepeatedLines`); `close` writes the folded lines.
 */
export function createLog(
  clock: Clock,
  lowest: LogLevel,
  write: (line: string) => void,
  format: LogFormat | null = null,
): Log & { close(): void } {
  // An unexpected address or error may contain a secret.
  const emit = (line: LogLine) => write(hideSecrets(forms[format ?? "json"](line)) + "\n");
  const repeated = new RepeatedLines(clock, emit);
  const at = (level: LogLevel) => {
    if (log_levels.indexOf(level) < log_levels.indexOf(lowest)) return () => {};
    const folds = level === "warn" || level === "error";
    return (event: string, fields: Record<string, unknown> = {}) => {
      const line = { at: isoTime(clock.now()), level, event, fields };
      if (!folds || !repeated.takes(line)) emit(line);
    };
  };
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    close: () => repeated.close(),
  };
}
