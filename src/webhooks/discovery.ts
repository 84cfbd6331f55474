/** What the documents say of webhooks. */

import { webhook_limits } from "../api/limits.ts";
import type { FeatureDocuments } from "../discovery/feature.ts";

export const webhook_documents: FeatureDocuments = {
  tag: { name: "webhooks", description: "Being called when there are notes in a mailbox." },
  not_crawled: ["/api/mailbox/webhook"],
  allowance: ({ webhook_checks_per_hour_by_address: checks }) => [
    `From one address, ${checks} webhooks an hour are set or tested. A webhook is called at most once in ${webhook_limits.pause_seconds} seconds.`,
  ],
};
