/** The documents for crawlers: robots.txt and the sitemap. */

/** A room in the sitemap. */
export interface Listed {
  slug: string;
  changed: string;
}

/** The pages in the sitemap besides the rooms. */
export const pages = ["/meet", "/jobs", "/locker", "/beacon", "/receipt", "/api"];

/**
 * /robots.txt (RFC 9309). Allows everything except endless streams, waits and private mailboxes. Pages that must not be
 * indexed send noindex themselves, which crawlers only see if they may read the page.
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

/** Up to `limit` public rooms: the open ones, then the closed ones, most recently active first. */
export async function latestRooms(
  rooms: { all(closed: boolean): AsyncGenerator<Listed[]> },
  limit: number,
): Promise<Listed[]> {
  const latest: Listed[] = [];
  for (const closed of [false, true]) {
    for await (const some of rooms.all(closed)) {
      for (const { slug, changed } of some) latest.push({ slug, changed });
      if (latest.length >= limit) return latest.slice(0, limit);
    }
  }
  return latest;
}

/** /sitemap.xml (sitemaps.org, protocol 0.9) in pieces: the pages, and the public rooms with their last change. */
export function* sitemapPieces(base: string, rooms: Listed[]): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n';
  for (const path of pages) yield `<url><loc>${escaped(base + path)}</loc></url>\n`;
  for (const { slug, changed } of rooms) {
    yield `<url><loc>${escaped(`${base}/meet/r/${slug}`)}</loc><lastmod>${changed}</lastmod></url>\n`;
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
