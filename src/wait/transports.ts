/** How callers reach waits: a route, a tool and documents. */

import type { ErrorDefinition } from "../core/error_definition.ts";
import type { Feature } from "../discovery/feature.ts";
import { wait_documents } from "./discovery.ts";
import type { NewsForms } from "./mcp/text.ts";
import { waitTools } from "./mcp/tools.ts";
import { waitHttp } from "./routes.ts";
import type { WaitForNews } from "./wait.ts";

/** `forms`: how posts and notes are shown, by their own features. `of_rooms`: the errors of rooms that are waited for. */
export const waitTransports = <LeanNote extends object>(
  waitForNews: WaitForNews,
  forms: NewsForms<LeanNote>,
  of_rooms: readonly ErrorDefinition[],
) =>
  ({
    ...wait_documents,
    routes: (http) => {
      waitHttp(waitForNews, forms, of_rooms, http);
    },
    tools: waitTools(waitForNews, forms),
  }) satisfies Feature;
