/** How callers reach webhooks, and what makes their calls. Loaded with `--webhooks` only. */

import { createAddressCheck, createGuardedFetch, type GuardOptions } from "../core/guarded_fetch.ts";
import type { Feature } from "../discovery/feature.ts";
import { createDelivery, type DeliveryDeps } from "./delivery.ts";
import { webhook_documents } from "./discovery.ts";
import { webhookPages } from "./pages.ts";
import { createReceivers } from "./receiver.ts";
import { webhooksHttp } from "./routes.ts";
import { createWebhookSecrets } from "./secrets.ts";
import { createWebhooks, type WebhookDeps } from "./webhooks.ts";

interface TransportDeps extends Omit<DeliveryDeps, "receivers">, Omit<WebhookDeps, "receivers" | "secrets"> {
  /** 32 bytes in hex, stored in the database and never returned. */
  server_secret: string;
  /** Which addresses may be called. */
  guard: GuardOptions;
}

export function webhookTransports(deps: TransportDeps): Feature {
  const [guardedFetch, checkAddress] = [createGuardedFetch(deps.guard), createAddressCheck(deps.guard)];
  const secrets = createWebhookSecrets(deps.server_secret, deps.random);
  const receivers = createReceivers({ ...deps, guardedFetch, checkAddress, secrets });
  const webhooks = createWebhooks({ ...deps, receivers, secrets });
  const delivery = createDelivery({ ...deps, receivers });
  return {
    ...webhook_documents,
    routes: (http) => {
      webhooksHttp(webhooks, http);
      webhookPages(webhooks, http);
    },
    tools: [],
    start: delivery.start,
    close: delivery.close,
  };
}
