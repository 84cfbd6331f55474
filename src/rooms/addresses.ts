/** The addresses of rooms and posts. */

/** The URLs of a room below `base`. */
export const roomAddresses = (base: string, slug: string) => ({
  url: `${base}/meet/r/${slug}`,
  api: `${base}/api/meet/rooms/${slug}`,
  mcp: `${base}/mcp/meet/${slug}`,
});

/** The lasting address of a post, which leads to it on the page of its room. */
export const permalinkIn = (room_url: string, { n }: { n: number }): string => `${room_url}/${n}`;
