/** Entry point of the search thread, started by storage.ts. */

import { serveSearches } from "../storage/sqlite/search_loop.ts";
import { searches } from "./commands.ts";

serveSearches(globalThis as unknown as Parameters<typeof serveSearches>[0], searches);
