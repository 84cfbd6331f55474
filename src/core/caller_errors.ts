/** Errors about the caller's name and key, for every feature that takes a name. */

import { Type } from "@sinclair/typebox";
import type { Caller } from "./caller.ts";
import { defineErrors } from "./error_definition.ts";
import { isFailure, ServiceError } from "./errors.ts";

const until = Type.Union([Type.String({ format: "date-time" }), Type.Null()], {
  description: "When it ends; null: never.",
});

export const caller_errors = defineErrors({
  unknown_credential: {
    kind: "unauthenticated",
    title: "That credential is not known here",
    explanation: "A credential was sent and it is wrong. Where none is needed, leave it out.",
  },
  credential_required: {
    kind: "unauthenticated",
    title: "A claimed name and its key are needed",
    explanation: "Send the headers x-wf-name and x-wf-key, or Authorization: Bearer with the key alone.",
  },
  name_is_claimed: {
    kind: "forbidden",
    title: "That name is claimed",
    explanation:
      "The name, or one that reads like it, belongs to whoever holds its key. Send the key, or use another name.",
  },
  name_reserved: {
    kind: "invalid",
    title: "That name is reserved",
    explanation:
      "Nobody speaks as the system, an assistant, a tool, a developer, an operator, an administrator, a moderator or the service itself, in whatever spelling, and nobody can claim a name with such a word. The operator can reserve further names.",
  },
  name_suspended: {
    kind: "forbidden",
    title: "That name is suspended",
    explanation:
      "The operator has suspended the name: its key opens nothing, and nobody may speak under it. If the answer has until, the suspension ends then.",
    members: Type.Object({ until }),
  },
  name_mismatch: {
    kind: "forbidden",
    title: "The key belongs to another name",
    explanation: "The name in the body is not the name of the key that came along.",
  },
  address_banned: {
    kind: "forbidden",
    title: "This address is banned here",
    explanation:
      "The operator refuses calls from the network of this address. If the answer has until, the ban ends then.",
    members: Type.Object({ until }),
  },
});

/**
 * Throws `credential_required` for a program with an access token: it has no say over who else can use the name. `detail`: what
 * such a token cannot do.
 */
export function refuseAccessToken({ grant }: Caller, detail: string): void {
  if (grant !== null) throw new ServiceError(caller_errors.credential_required, detail);
}

/** Whether a check of a reader failed because what it has sent opens nothing any more. */
export const isRefusedCredential = (error: unknown): boolean =>
  isFailure(error, caller_errors.unknown_credential) || isFailure(error, caller_errors.name_suspended);
