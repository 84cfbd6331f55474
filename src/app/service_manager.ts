/** What systemd and the service say to each other: the socket that it passes, and notifications (sd_listen_fds(3), sd_notify(3)). */

import type { Clock } from "../core/clock.ts";
import { datagramSocket, is_linux, monotonicMicroseconds, process_id, sendDatagram } from "./libc.ts";

type Environment = Record<string, string | undefined>;

/** The first descriptor that systemd passes. */
const first_passed = 3;

/**
 * The descriptor of the listening socket that systemd has passed to this process; null if there is none. Throws a user-facing error if
 * there are several, or if this is not Linux.
 */
export function passedSocket({ LISTEN_PID, LISTEN_FDS }: Environment): number | null {
  if (LISTEN_FDS === undefined || Number(LISTEN_PID) !== process_id) return null;
  if (LISTEN_FDS !== "1") {
    throw new Error(
      `systemd passed ${LISTEN_FDS} sockets. Wharf takes one: write one ListenStream= in the .socket unit.`,
    );
  }
  if (!is_linux) {
    throw new Error("LISTEN_FDS works on Linux alone. Start the service without it, with --host and --port.");
  }
  return first_passed;
}

interface ServiceManager {
  /** The service answers. From now on the watchdog is fed. */
  ready(status: string): void;
  /** Files are read again; `ready` follows. */
  reloading(): void;
  stopping(): void;
}

/**
 * Notifies the service manager at NOTIFY_SOCKET; does nothing if there is none. If it has a watchdog (WATCHDOG_USEC), feeds it
 * twice in its time as long as the event loop runs and `isWorking` resolves.
 */
export function createServiceManager(
  environment: Environment,
  clock: Clock,
  isWorking: () => Promise<unknown>,
): ServiceManager {
  const { NOTIFY_SOCKET: path, WATCHDOG_USEC, WATCHDOG_PID } = environment;
  const nothing = () => undefined;
  if (!path || !/^[/@]/.test(path) || !is_linux) {
    return { ready: nothing, reloading: nothing, stopping: nothing };
  }
  const fd = datagramSocket();
  const notify = (...lines: string[]) => sendDatagram(fd, path, lines.join("\n"));

  const is_watched = WATCHDOG_PID === undefined || Number(WATCHDOG_PID) === process_id;
  const watchdog_ms = is_watched ? Number(WATCHDOG_USEC ?? 0) / 1_000 : 0;
  let is_fed = false;
  async function feed(): Promise<void> {
    // A write that hangs delays the next notification: the service manager then ends the process.
    await isWorking().then(
      () => notify("WATCHDOG=1"),
      () => false,
    );
    clock.after(watchdog_ms / 2, () => void feed());
  }

  return {
    ready(status) {
      notify("READY=1", `STATUS=${status}`);
      if (is_fed || !(watchdog_ms > 0)) return;
      is_fed = true;
      void feed();
    },
    reloading: () => void notify("RELOADING=1", `MONOTONIC_USEC=${monotonicMicroseconds()}`),
    stopping: () => void notify("STOPPING=1"),
  };
}
