/** Clocks. Everything gets its clock as a parameter, so that tests can set the time. */

import { closeSync, openSync, readFileSync, readSync } from "node:fs";

/** How long the machine has been running. */
export interface Uptime {
  /** Identifies the boot of the machine from which `ms` counts; of the process, if the system has no such id. */
  boot: string;
  /** A whole number. */
  ms: number;
  /** The steps in which `ms` counts; 10 if absent. */
  step_ms?: number;
}

export interface Clock {
  /** Milliseconds since 1970-01-01 UTC. */
  now(): number;
  /** Milliseconds since an arbitrary moment, with fractions. Setting the clock does not change it. May lack time asleep. */
  monotonic(): number;
  /** Time since the boot. Setting the clock does not change it. Includes time asleep if the system reports it. */
  uptime(): Uptime;
  /** Runs `run` after `delay_ms`. Returns a function that cancels it. The timer does not keep the process alive. */
  after(delay_ms: number, run: () => void): () => void;
  /** Resolves in the next turn of the event loop, so that other work can run. */
  turn(): Promise<void>;
}

/**
 * Returns a function that reads the uptime: on Linux the machine's, which includes time asleep (proc_uptime(5)); on other
 * systems, or if `path` cannot be read, the uptime of this process. Keeps the file open, so that a reading needs no further
 * descriptor.
 */
export function uptimeReader(path = "/proc/uptime"): () => Uptime {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
    const file = openSync(path, "r");
    const text = Buffer.alloc(64);
    // Seconds with two digits after the point.
    const read = () => {
      const length = readSync(file, text, 0, text.length, 0);
      return Math.round(Number.parseFloat(text.toString("latin1", 0, length)) * 1000);
    };
    if (read() >= 0) return () => ({ boot, ms: read() });
    closeSync(file);
  } catch {
    // Not Linux: use the uptime of the process.
  }
  const boot = `the process of ${Date.now()}`;
  return () => ({ boot, ms: Math.floor(performance.now()) });
}

let readUptime: (() => Uptime) | undefined;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  // Opened by the first call: the writer thread makes none.
  uptime: () => (readUptime ??= uptimeReader())(),
  after(delay_ms, run) {
    const timer = setTimeout(run, delay_ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
  turn: () => new Promise((resolve) => setImmediate(resolve)),
};

/** A moment in both times of the service (timekeeping/). */
export interface Moment {
  /** Service time in unix milliseconds: the time that is shown, and stored for events. */
  now_ms: number;
  /** How far service time is ahead of steady time, in which leases and expiries are stored. */
  ahead_ms: number;
}

/** A clock whose `now` is service time. */
export interface ServiceClock extends Clock {
  moment(): Moment;
  /** Steady time in milliseconds. It continues after restarts, and setting the wall clock does not change it. */
  steady(): number;
}

/** The second that was formatted last, and how its times begin: most times are of the same second as the one before. */
let last_second = Number.NaN;
let second_text = "";

/** ISO 8601 in UTC with milliseconds: the form in which times are stored and sent. Throws a RangeError for what is no time. */
export function isoTime(unix_ms: number): string {
  const whole_ms = Math.trunc(unix_ms);
  const second = Math.floor(whole_ms / 1_000);
  if (second !== last_second) {
    second_text = new Date(whole_ms).toISOString().slice(0, -4);
    last_second = second;
  }
  const ms = whole_ms - second * 1_000;
  return `${second_text}${ms < 10 ? "00" : ms < 100 ? "0" : ""}${ms}Z`;
}

/** The minute of a time, in the same form. */
export const minuteTime = (unix_ms: number): string => isoTime(unix_ms - (unix_ms % 60_000));

/** The steady time of a moment, in the stored form. */
export const steadyTime = ({ now_ms, ahead_ms }: Moment): string => isoTime(now_ms - ahead_ms);

/** A stored steady time as service time, for callers. */
export const shownTime = (steady_time: string, ahead_ms: number): string =>
  ahead_ms === 0 ? steady_time : isoTime(Date.parse(steady_time) + ahead_ms);

/**
 * The time of an event after another one at `latest`: `now_ms`, or one millisecond after `latest` if that is later. Times
 * therefore rise strictly, even if the clock is set back.
 */
export const nextTime = (now_ms: number, latest: string): string => isoTime(nextMs(now_ms, latest));

/** The same time in Unix milliseconds. */
export const nextMs = (now_ms: number, latest: string): number => Math.max(now_ms, Date.parse(latest) + 1);

/** The length of the stored form. */
const stored_chars = "2026-03-01T12:00:00.000Z".length;

const date_time =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:[Zz]|[+-]\d{2}:\d{2})$/;

/**
 * An RFC 3339 date-time (section 5.6) in the stored form; null for any other text. Drops digits below the millisecond,
 * because all stored times are whole milliseconds.
 */
export function parseTime(text: string): string | null {
  // Fast path: most callers send a time back in the form in which they got it.
  if (text.length === stored_chars) {
    const sent_ms = Date.parse(text);
    if (sent_ms >= 0 && isoTime(sent_ms) === text) return text;
  }
  const parts = date_time.exec(text);
  if (!parts) return null;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const days_in_month = new Date(Date.UTC(year, month, 0)).getUTCDate();
  if (month < 1 || month > 12 || day < 1 || day > days_in_month) return null;
  const unix_ms = Date.parse(text.toUpperCase().replace(/(\.\d{3})\d+/, "$1"));
  if (Number.isNaN(unix_ms) || unix_ms < 0 || unix_ms >= 253_402_300_800_000) return null;
  return isoTime(unix_ms);
}
