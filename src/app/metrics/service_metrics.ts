/** Metrics that are read from the app and its storage. */

import type { Meter } from "../../core/meter.ts";
import type { Storage } from "../../core/storage.ts";
import { countSessions } from "../../mcp/sessions/store.ts";

interface Measured {
  open(): { streams: number; waits: number; subscriptions: number; bodies: number; body_bytes: number };
  storage: Pick<Storage<never>, "read">;
  health: () => ReturnType<Storage<never>["health"]>;
}

export function measureService(meter: Meter, { open, storage, health }: Measured): void {
  const gauge = (name: string, help: string, read: () => number | Promise<number>) =>
    meter.reading({ name, help, type: "gauge" }, read);
  gauge("wharf_streams_open", "Open streams of events.", () => open().streams);
  gauge("wharf_waits_open", "Calls that wait for a change.", () => open().waits);
  gauge(
    "wharf_subscriptions_open",
    "Subscriptions to topics: waits, streams and MCP.",
    () => open().subscriptions,
  );
  gauge("wharf_large_answers_open", "Large answers that are being sent.", () => open().bodies);
  gauge(
    "wharf_large_answers_bytes",
    "Memory of large answers that are being made or sent.",
    () => open().body_bytes,
  );
  gauge("wharf_mcp_sessions", "Stored MCP sessions.", () => storage.read(countSessions));
  meter.reading(
    {
      name: "wharf_check_failing",
      type: "gauge",
      help: "1 for each check of /readyz that fails.",
      labels: ["check"],
    },
    async () =>
      Object.entries(await health()).map(([check, { status }]) => [[check], Number(status === "failing")]),
  );
}
