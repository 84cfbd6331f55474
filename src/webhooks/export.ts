/** The webhook of a claimed name, for the export of the name: without its secrets. */

import { mapChunks, pagedChunks } from "../core/chunks.ts";
import type { FeatureStorage } from "../core/commands.ts";
import type { ExportOf } from "../discovery/feature.ts";
import { shownSettings } from "./representations.ts";
import { findWebhook } from "./store.ts";

export const createWebhookExport =
  (storage: Pick<FeatureStorage, "read">): ExportOf =>
  ({ canonical }, _base, caller) => {
    // A program has no say over webhooks, and does not see them.
    if (caller.grant !== null) return async () => null;
    const found = async () => {
      const row = await storage.read((tx) => findWebhook(tx, canonical));
      return row ? [row] : [];
    };
    return mapChunks(pagedChunks(2, found), (some) =>
      some.map((row) => ({ kind: "webhook", ...shownSettings(row) })),
    );
  };
