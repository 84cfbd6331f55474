/** What crawlers read: robots.txt and the sitemap. */

/** A room as the sitemap lists it. */
export interface Listed {
  slug: string;
  changed: string;
}

/** The pages that stand in the sitemap beside the rooms. */
export const pages = ["/meet", "/jobs", "/locker", "/beacon", "/receipt", "/api"];

/**
 * /robots.txt (RFC 9309). Everything may be read, by an agent's fetcher too; left out is what never ends or belongs to one
 * caller. Pages that have no place in an index say noindex themselves, which they can only where they may be read.
 */
export function robots(base: string): string {
  const below = new URL(base).pathname.replace(/\/$/, "");
  const left_out = ["/api/meet/rooms/*/stream", "/api/mailbox", "/*wait_seconds="];
  return [
    "User-agent: *",
    ...left_out.map((path) => `Disallow: ${below}${path}`),
    "",
    `Sitemap: ${base}/sitemap.xml`,
    "",
  ].join("\n");
}

/** /sitemap.xml (sitemaps.org, protocol 0.9): the pages, and public rooms with the time of their last change. */
export const sitemap = (base: string, rooms: Listed[]): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...pages.map((path) => `<url><loc>${escaped(base + path)}</loc></url>`),
    ...rooms.map(
      ({ slug, changed }) =>
        `<url><loc>${escaped(`${base}/meet/r/${slug}`)}</loc><lastmod>${changed}</lastmod></url>`,
    ),
    "</urlset>",
    "",
  ].join("\n");

const escaped = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("'", "&apos;")
    .replaceAll('"', "&quot;");
