/** Time as the house sees it: injected everywhere, so that a test can move it by hand. */

import { closeSync, openSync, readFileSync, readSync } from "node:fs";

/** How long the machine has been running. */
export interface Uptime {
  /** Names the run that is counted: a new one begins when the machine starts, where the system tells that. */
  boot: string;
  /** A whole number. */
  ms: number;
}

export interface Clock {
  /** Milliseconds since 1970-01-01 UTC. */
  now(): number;
  /** Milliseconds since some moment, with fractions. No setting of the clock moves it; time asleep may be missing. */
  monotonic(): number;
  /** Time that no setting of the clock moves. Where the system tells it, time asleep is counted. */
  uptime(): Uptime;
  /** Runs `run` once after `delay_ms`; the answer cancels it. Never keeps the process alive by itself. */
  after(delay_ms: number, run: () => void): () => void;
  /** Resolves in the next turn of the event loop, so that others get theirs. */
  turn(): Promise<void>;
}

/**
 * Makes a reader of the uptime: on Linux that of the machine, which counts time asleep (proc_uptime(5)); elsewhere, or
 * where `path` cannot be read, that of this process. The file stays open, so that a reading needs no other descriptor.
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
    // Falls through: another system.
  }
  const boot = `the process of ${Date.now()}`;
  return () => ({ boot, ms: Math.floor(performance.now()) });
}

let readUptime: (() => Uptime) | undefined;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  // Opened by the first who asks: the writer's thread never does.
  uptime: () => (readUptime ??= uptimeReader())(),
  after(delay_ms, run) {
    const timer = setTimeout(run, delay_ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
  turn: () => new Promise((resolve) => setImmediate(resolve)),
};

/** When something takes place, on both times of the service (timekeeping/). */
export interface Moment {
  /** Service time in unix milliseconds: what is shown, and stored as the time of what happens. */
  now_ms: number;
  /** How far service time is ahead of steady time, by which leases and whatever expires are counted. */
  ahead_ms: number;
}

/** A clock whose `now` is service time. */
export interface ServiceClock extends Clock {
  moment(): Moment;
  /** Steady time in milliseconds, which goes on over restarts and which no setting of the wall clock moves. */
  steady(): number;
}

/** ISO 8601 in UTC with milliseconds, the one form in which times are stored and sent. */
export const isoTime = (unix_ms: number): string => new Date(unix_ms).toISOString();

/** The steady time of a moment, in the stored form. */
export const steadyTime = ({ now_ms, ahead_ms }: Moment): string => isoTime(now_ms - ahead_ms);

/** A stored steady time as callers see it: as service time. */
export const shownTime = (steady_time: string, ahead_ms: number): string =>
  ahead_ms === 0 ? steady_time : isoTime(Date.parse(steady_time) + ahead_ms);

/**
 * The time of the next thing that happens in a place whose latest thing happened at `latest`: the clock's time, or
 * one millisecond after `latest` where the clock has not moved on. So times rise strictly, whatever the clock does.
 */
export function nextTime(now_ms: number, latest: string): string {
  return isoTime(Math.max(now_ms, Date.parse(latest) + 1));
}

const date_time =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:[Zz]|[+-]\d{2}:\d{2})$/;

/**
 * An RFC 3339 date-time (section 5.6) as the stored form, or null when it is not one. Digits below the millisecond
 * are cut: nothing here happens between two milliseconds.
 */
export function parseTime(text: string): string | null {
  const parts = date_time.exec(text);
  if (!parts) return null;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const days_in_month = new Date(Date.UTC(year, month, 0)).getUTCDate();
  if (month < 1 || month > 12 || day < 1 || day > days_in_month) return null;
  const unix_ms = Date.parse(text.toUpperCase().replace(/(\.\d{3})\d+/, "$1"));
  if (Number.isNaN(unix_ms) || unix_ms < 0 || unix_ms >= 253_402_300_800_000) return null;
  return isoTime(unix_ms);
}
