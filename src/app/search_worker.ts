/** Entry point of the search thread, started by storage.ts. */

import { serveSearches } from "../storage/sqlite/search_loop.ts";

serveSearches(
  globalThis as unknown as Parameters<typeof serveSearches>[0],
  async () => (await import("./commands.ts")).searches,
);
