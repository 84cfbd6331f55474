/** The documents for crawlers: robots.txt and the sitemap. */

import type { ChangedPage, FeatureDocuments } from "./feature.ts";

/**
 * /robots.txt (RFC 9309). Allows everything except endless streams, waits and private mailboxes. Pages that must not be
 * indexed send noindex themselves, which crawlers only see if they may read the page.
 */
export function robots(base: string, features: FeatureDocuments[]): string {
  const below = new URL(base).pathname.replace(/\/$/, "");
  const left_out = [...features.flatMap(({ not_crawled = [] }) => not_crawled), "/*wait_seconds="];
  return [
    "User-agent: *",
    ...left_out.map((path) => `Disallow: ${below}${path}`),
    "",
    `Sitemap: ${base}/sitemap.xml`,
    "",
  ].join("\n");
}

/** /sitemap.xml (sitemaps.org, protocol 0.9) in pieces: `pages` are paths, `changed` has further pages. */
export function* sitemapPieces(base: string, pages: string[], changed: ChangedPage[]): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n';
  for (const path of pages) yield `<url><loc>${escaped(base + path)}</loc></url>\n`;
  for (const { path, changed: at } of changed) {
    yield `<url><loc>${escaped(base + path)}</loc><lastmod>${at}</lastmod></url>\n`;
  }
  yield "</urlset>\n";
}

const escaped = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("'", "&apos;")
    .replaceAll('"', "&quot;");
