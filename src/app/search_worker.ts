/** The search thread: the third entry of the program, started with the first search. */

import { searches } from "./searches.ts";
import { serveSearches } from "../storage/sqlite/search_loop.ts";

serveSearches(globalThis as unknown as Parameters<typeof serveSearches>[0], searches);
