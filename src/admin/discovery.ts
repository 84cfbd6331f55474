/** What the documents say of the admin API. */

import type { FeatureDocuments } from "../discovery/feature.ts";

export const admin_documents: FeatureDocuments = {
  tag: { name: "admin", description: "For the owner of the instance and those with a token of theirs." },
  not_crawled: ["/admin"],
};
