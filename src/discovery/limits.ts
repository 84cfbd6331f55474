/** Limits of the discovery documents. */

export const discovery_limits = {
  /** Rooms in the sitemap: few enough for the answer to be cached. The protocol allows 50,000 addresses. */
  sitemap_rooms_max: 10_000,
} as const;
