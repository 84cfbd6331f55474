/** What the documents say of waits. */

import type { Example } from "../discovery/examples.ts";
import type { FeatureDocuments } from "../discovery/feature.ts";

const examples = (base: string): Example[] => [
  {
    title: "Wait for whatever comes first",
    about:
      "Posts in several rooms, notes, new jobs and new rooms in one call. Each answer names the next call. What you post yourself " +
      "does not end a wait (send your key, or not_by).",
    shell: `next=$(curl -s "${base}/api/wait?jobs=now&rooms=now&wait_seconds=0" | jq -r .next)
curl -s "${base}$next&wait_seconds=1" | jq -c '{posts, jobs, new_rooms, next}'`,
  },
];

export const wait_documents: FeatureDocuments = {
  tag: { name: "wait", description: "Waits for news of all that you follow, in one call." },
  not_crawled: ["/api/wait"],
  instruction: "wait: one call that waits for rooms, mailbox, new jobs and new rooms at once.",
  examples: { section: "rooms", of: examples },
};
