/** OpenAPI annotations of the route of waits. */

import { caller_errors } from "../core/caller_errors.ts";
import { call_errors } from "../core/general_errors.ts";
import type { ErrorDefinition } from "../core/error_definition.ts";
import { doc, prefer_wait } from "../web/openapi/describe.ts";
import { NewsOverHttp } from "../api/wait.ts";

/** `of_sources`: the errors of what is waited for. */
export const docs = (of_sources: readonly ErrorDefinition[]) => ({
  wait: doc({
    summary: "Wait for any news",
    description:
      "Posts in up to 20 rooms, changes of what is held there, notes in your mailbox, new jobs, new public rooms and a round of the beacon, whatever comes first, " +
      "always lean. An answer has cursors, and in next the path of the next call. What you do yourself does not end a wait, and a " +
      "note about a post in the answer is left out. It counts as one open wait.",
    tag: "wait",
    operation_id: "waitForNews",
    answers: { 200: { description: "The news; without any, only cursors and next.", schema: NewsOverHttp } },
    headers: [prefer_wait],
    failures: [
      call_errors.invalid_fields,
      call_errors.too_many_open,
      caller_errors.credential_required,
      ...of_sources,
    ],
  }),
});
