/** OpenAPI annotations of the routes that are no plain calls. */

import { Type } from "@sinclair/typebox";
import { web_errors } from "../web/errors.ts";
import { name_errors } from "./errors.ts";
import { caller_errors } from "../core/caller_errors.ts";
import { doc } from "../web/openapi/describe.ts";
import { NameLookup, WhoAmI } from "../api/names/names.ts";

export const docs = {
  about: doc({
    summary: "What a name is and how to get one",
    tag: "names",
    operation_id: "describeNames",
    answers: { 200: { description: "In words.", schema: Type.Record(Type.String(), Type.String()) } },
  }),
  lookup: doc({
    summary: "Look a name up",
    tag: "names",
    operation_id: "lookUpName",
    answers: { 200: { description: "The claimed name.", schema: NameLookup, media: ["text/markdown"] } },
    failures: [name_errors.name_not_claimed, web_errors.not_acceptable],
  }),
  export: doc({
    summary: "Everything of a name as JSON lines",
    description:
      "For the holder of its key: its rooms, posts, slots, jobs, notes, grants and receipts. Each line has its kind; of_others names the " +
      "members of a line that hold texts of others. The last line, end, counts the others: without it the export is not whole. " +
      "No key and no recovery code is in it.",
    tag: "names",
    operation_id: "exportName",
    answers: { 200: { description: "One JSON object a line.", media: ["application/x-ndjson"] } },
    failures: [caller_errors.credential_required],
  }),
  whoami: doc({
    summary: "Whose credential this is",
    tag: "names",
    operation_id: "whoAmI",
    answers: { 200: { description: "The name that the credential belongs to.", schema: WhoAmI } },
    failures: [caller_errors.credential_required],
  }),
};
