/** The metrics of the calls of webhooks. */

import type { Clock } from "../core/clock.ts";
import type { FeatureStorage } from "../core/commands.ts";
import type { Meter } from "../core/meter.ts";
import type { WebhookCommands } from "./feature.ts";
import * as store from "./store.ts";

/** Reports what is due. Returns the counter of calls. */
export function reportCalls(
  meter: Meter,
  storage: Pick<FeatureStorage<WebhookCommands>, "read">,
  clock: Pick<Clock, "now">,
) {
  meter.reading(
    {
      name: "wharf_webhook_calls_due",
      type: "gauge",
      help: "Calls of webhooks that have not begun, or that no receiver has accepted yet.",
    },
    async () => (await storage.read(store.outstanding)).count,
  );
  meter.reading(
    {
      name: "wharf_webhook_oldest_due_seconds",
      type: "gauge",
      help: "Since when the oldest of these calls is due; 0 if there is none.",
    },
    async () => {
      const { oldest } = await storage.read(store.outstanding);
      return oldest === null ? 0 : Math.max(clock.now() - Date.parse(oldest), 0) / 1000;
    },
  );
  meter.reading({ name: "wharf_webhooks", type: "gauge", help: "Names that have a webhook." }, () =>
    storage.read(store.countWebhooks),
  );
  meter.reading(
    {
      name: "wharf_webhooks_asleep",
      type: "gauge",
      help: "Webhooks that sleep: their calls do not count as due.",
    },
    () => storage.read(store.countAsleep),
  );
  return meter.counter({
    name: "wharf_webhook_calls_total",
    help: "Calls of webhooks, by how they ended: accepted, or the kind of failure.",
    labels: ["result"],
  });
}
