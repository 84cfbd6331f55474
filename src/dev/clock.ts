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
   * Lets the time run to `to_ms` at once: each timer that falls due runs at its own time, and `settled` is awaited after it.
   * Returns false, and changes nothing, if that time has passed.
   */
  runTo(to_ms: number, settled: () => Promise<void>): Promise<boolean>;
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
  let is_running_to = false;
  let turns = 0;

  const precise = (): number =>
    frozen || is_running_to ? base_ms : base_ms + systemClock.monotonic() - real_ms;
  const now = (): number => Math.floor(precise());

  function show(at_ms: number): void {
    base_ms = at_ms;
    real_ms = systemClock.monotonic();
  }

  /** The timer that is due next. Of two that are due at the same time, the one that was set first. */
  function nextTimer(): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of timers) if (!next || timer.due_ms < next.due_ms) next = timer;
    return next;
  }

  function runDue(): void {
    for (let next = nextTimer(); next && next.due_ms <= precise(); next = nextTimer()) {
      timers.delete(next);
      next.run();
    }
    setAlarm();
  }

  /** Sets the real timer for the next one, while the time runs. */
  function setAlarm(): void {
    cancelAlarm();
    const next = frozen || is_running_to ? undefined : nextTimer();
    if (!next) return;
    // The longest time that a timer can have: when it ends, the alarm is set again.
    cancelAlarm = systemClock.after(Math.min(Math.max(next.due_ms - precise(), 0), 2 ** 31 - 1), runDue);
  }

  return {
    now,
    monotonic: precise,
    uptime: () => ({ boot, ms: now() }),
    after(delay_ms, run) {
      const timer = { due_ms: precise() + delay_ms, run };
      timers.add(timer);
      setAlarm();
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
      if (to_ms < precise()) return false;
      show(precise());
      is_running_to = true;
      try {
        for (let next = nextTimer(); next && next.due_ms <= to_ms; next = nextTimer()) {
          timers.delete(next);
          show(Math.max(next.due_ms, base_ms));
          next.run();
          await settled();
        }
        show(to_ms);
      } finally {
        real_ms = systemClock.monotonic();
        is_running_to = false;
        setAlarm();
      }
      return true;
    },
    close() {
      timers.clear();
      cancelAlarm();
    },
  };
}
