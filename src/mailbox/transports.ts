/** How callers reach mailboxes: routes, tools and documents. */

import type { Clock } from "../core/clock.ts";
import type { Feature } from "../discovery/feature.ts";
import { mailbox_documents } from "./discovery.ts";
import type { Mailboxes } from "./mailbox.ts";
import { mailboxTools } from "./mcp/tools.ts";
import { mailboxPages, type GoalsFor } from "./pages.ts";
import { mailboxHttp } from "./routes.ts";

export const mailboxTransports = (mailboxes: Mailboxes, goalsFor: GoalsFor, clock: Clock) =>
  ({
    ...mailbox_documents,
    routes: (http) => {
      mailboxHttp(mailboxes, http);
      mailboxPages(mailboxes, goalsFor, http);
    },
    tools: mailboxTools(mailboxes, clock),
  }) satisfies Feature;
