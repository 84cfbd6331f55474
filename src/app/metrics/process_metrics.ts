/** Metrics of the process: CPU, memory, open files and the delay of its event loop. */

import { readdirSync } from "node:fs";
import { version } from "../../../package.json" with { type: "json" };
import type { Clock } from "../../core/clock.ts";
import { seconds_buckets, type Meter } from "../../core/meter.ts";
import { app_limits } from "../limits.ts";

/** Starts to measure. Returns a function that ends it. The Prometheus clients use the names without `wharf_`, too. */
export function measureProcess(meter: Meter, clock: Pick<Clock, "now" | "monotonic" | "after">): () => void {
  const started_seconds = (clock.now() - process.uptime() * 1000) / 1000;
  const of_process = (name: string, type: "gauge" | "counter", help: string, read: () => number | null) =>
    meter.reading({ name: `process_${name}`, type, help }, read);
  of_process("cpu_seconds_total", "counter", "CPU time of the process, user and system.", () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  of_process("resident_memory_bytes", "gauge", "Resident memory.", () => process.memoryUsage.rss());
  of_process("start_time_seconds", "gauge", "When the process started, in unix time.", () => started_seconds);
  of_process("open_fds", "gauge", "Open file descriptors; on Linux alone.", openFiles);
  meter.reading(
    { name: "wharf_build_info", type: "gauge", help: "Always 1.", labels: ["version", "bun"] },
    () => [[[version, Bun.version], 1]],
  );

  const lag = meter.histogram({
    name: "wharf_event_loop_lag_seconds",
    help: "How late a timer of the main thread was, measured twice a second.",
    buckets: seconds_buckets,
  });
  let stop = () => {};
  function measure(): void {
    const due_ms = clock.monotonic() + app_limits.lag_every_ms;
    stop = clock.after(app_limits.lag_every_ms, () => {
      lag.observe(Math.max(0, clock.monotonic() - due_ms) / 1000);
      measure();
    });
  }
  measure();
  return () => stop();
}

function openFiles(): number | null {
  try {
    // Without the descriptor of the listing itself.
    return readdirSync("/proc/self/fd").length - 1;
  } catch {
    return null;
  }
}
