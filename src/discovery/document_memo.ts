/** Documents that are made once and rendered for each reader. Making one takes ten times as long as rendering it. */

import type { DiscoveryDocument } from "../api/documents.ts";

/** A document, or one whose maker is still being loaded. */
type Made = DiscoveryDocument | Promise<DiscoveryDocument>;

/**
 * Returns a function that makes the document at a path once for a base URL. It remembers the documents of the latest base
 * only, because callers may choose the host in a base.
 */
export function createDocumentMemo() {
  let latest = "";
  const documents = new Map<string, Made>();
  return (base: string, path: string, make: () => Made): Made => {
    if (base !== latest) documents.clear();
    latest = base;
    const found = documents.get(path) ?? make();
    documents.set(path, found);
    return found;
  };
}
