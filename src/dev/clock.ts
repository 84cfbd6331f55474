/** A clock that can be set and stopped. Its timers run in its own time. */

import { systemClock, type Clock } from "../core/clock.ts";

export interface ClockState {
  /** Unix milliseconds. */
  now_ms: number;
  is_frozen: boolean;
}

export interface DevClock extends Clock {
  state(): ClockState;
  /** Stops the time, or lets it run on. */
  freeze(is_frozen: boolean): void;
  /**
   * Lets the time run to `to_ms` at once: the timers that fall due run at their times, in the order of these, and after those
   * of one time `settled` is awaited. Does nothing if that time has passed. Ends early after `close`.
   */
  runTo(to_ms: number, settled: () => Promise<void>): Promise<void>;
  /** How many calls of `turn` have not resolved. */
  turns(): number;
  /** Cancels all timers. */
  close(): void;
}

interface Timer {
  due_ms: number;
  run: () => void;
}

/** The name of the boot from which the uptime counts: the same at each start, as if the machine never restarted. */
const boot = "development";

export function createDevClock({ now_ms, is_frozen }: ClockState): DevClock {
  let base_ms = now_ms;
  let frozen = is_frozen;
  /** The real time at which the clock showed `base_ms`. */
  let real_ms = systemClock.monotonic();
  const timers = new Set<Timer>();
  let cancelAlarm = () => {};
  /** When the alarm runs; infinite while none is set. */
  let alarm_ms = Infinity;
  let is_running_to = false;
  let turns = 0;

  const precise = (): number =>
    frozen || is_running_to ? base_ms : base_ms + systemClock.monotonic() - real_ms;
  const now = (): number => Math.floor(precise());

  function show(at_ms: number): void {
    base_ms = at_ms;
    real_ms = systemClock.monotonic();
  }

  /** The timers that are due next, which have one time, in the order in which they were set; none if that is after `by_ms`. */
  function nextTimers(by_ms: number): Timer[] {
    let next_ms = by_ms;
    for (const { due_ms } of timers) next_ms = Math.min(next_ms, due_ms);
    return [...timers].filter(({ due_ms }) => due_ms <= next_ms);
  }

  /** Runs `due`. One of them may cancel the others. */
  function run(due: Timer[]): void {
    for (const timer of due) if (timers.delete(timer)) timer.run();
  }

  function runDue(): void {
    for (let due = nextTimers(precise()); due.length > 0; due = nextTimers(precise())) run(due);
    setAlarm();
  }

  /** Sets the real timer for the next one, while the time runs. */
  function setAlarm(): void {
    cancelAlarm();
    alarm_ms = Infinity;
    if (frozen || is_running_to) return;
    for (const { due_ms } of timers) alarm_ms = Math.min(alarm_ms, due_ms);
    if (alarm_ms === Infinity) return;
    // The longest time that a timer can have: when it ends, the alarm is set again.
    cancelAlarm = systemClock.after(Math.min(Math.max(alarm_ms - precise(), 0), 2 ** 31 - 1), runDue);
  }

  return {
    now,
    monotonic: precise,
    uptime: () => ({ boot, ms: now(), step_ms: 0 }),
    after(delay_ms, run) {
      const timer = { due_ms: precise() + delay_ms, run };
      timers.add(timer);
      if (timer.due_ms < alarm_ms) setAlarm();
      return () => void timers.delete(timer);
    },
    turn() {
      turns++;
      return systemClock.turn().finally(() => turns--);
    },
    turns: () => turns,
    state: () => ({ now_ms: now(), is_frozen: frozen }),
    freeze(is_frozen) {
      show(precise());
      frozen = is_frozen;
      setAlarm();
    },
    async runTo(to_ms, settled) {
      show(precise());
      is_running_to = true;
      cancelAlarm();
      try {
        for (let due = nextTimers(to_ms); due.length > 0; due = nextTimers(to_ms)) {
          show(Math.max(due[0]!.due_ms, base_ms));
          run(due);
          await settled();
        }
        show(Math.max(to_ms, base_ms));
      } finally {
        real_ms = systemClock.monotonic();
        is_running_to = false;
        setAlarm();
      }
    },
    close() {
      timers.clear();
      cancelAlarm();
    },
  };
}
