/** How callers reach waits: a route, a tool and documents. */

import type { ErrorDefinition } from "../core/error_definition.ts";
import type { Feature } from "../discovery/feature.ts";
import { wait_documents } from "./discovery.ts";
import type { NewsForms } from "./mcp/text.ts";
import { waitTools } from "./mcp/tools.ts";
import type { RoomSpellings } from "./positions.ts";
import { waitHttp } from "./routes.ts";
import type { NewsWaits } from "./wait.ts";

/** `forms`: how posts and notes are shown, by their own features. `of_sources`: the errors of what is waited for. */
export const waitTransports = <LeanNote extends object>(
  waits: NewsWaits,
  forms: NewsForms<LeanNote>,
  of_sources: readonly ErrorDefinition[],
  spellings: RoomSpellings,
) =>
  ({
    ...wait_documents,
    routes: (http) => {
      waitHttp(waits, forms, of_sources, spellings, http);
    },
    tools: waitTools(waits, forms, spellings),
  }) satisfies Feature;
