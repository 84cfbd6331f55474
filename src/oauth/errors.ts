/** Errors of signing in by OAuth, for the API. What a program gets at the token endpoint is in protocol_error.ts. */

import { defineErrors } from "../core/error_definition.ts";

export const oauth_errors = defineErrors({
  grant_not_found: {
    kind: "not_found",
    title: "There is no such grant",
    explanation: "The name has let no program in under that id, or the grant has ended.",
  },
  client_not_found: {
    kind: "not_found",
    title: "There is no such program",
    explanation: "No program with that client_id has registered here or was let in by a name.",
  },
});
