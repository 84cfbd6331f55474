/** Documents that are made once and rendered for each reader. Making one takes ten times as long as rendering it. */

import type { DiscoveryDocument } from "../api/documents.ts";

/**
 * Returns a function that makes the document at a path once for a base URL. It remembers the documents of the latest base
 * only, because callers may choose the host in a base.
 */
export function createDocumentMemo() {
  let latest = "";
  const documents = new Map<string, DiscoveryDocument>();
  return (base: string, path: string, make: () => DiscoveryDocument): DiscoveryDocument => {
    if (base !== latest) documents.clear();
    latest = base;
    const found = documents.get(path) ?? make();
    documents.set(path, found);
    return found;
  };
}
