/** What the documents say of the admin API, in two sections. */

import type { FeatureDocuments } from "../discovery/feature.ts";

export const admin_documents: FeatureDocuments = {
  tag: { name: "admin", description: "For the owner of the instance and those with a token of theirs." },
  not_crawled: ["/admin"],
};

export const moderation_documents: FeatureDocuments = {
  tag: {
    name: "moderation",
    description: "What admins do with posts, rooms, names, slots, jobs, networks and reports.",
  },
};
