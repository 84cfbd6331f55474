/**
 * The problems of an operation in the OpenAPI document. All have one schema, so that a client handles them in one place, and `code` is
 * no enum, so that a client understands a problem that is newer than itself. `x-codes` has the codes of each status.
 */

import type { ErrorDefinition } from "../../core/error_definition.ts";
import { Problem, statusOf } from "../problems.ts";
import { failures_anywhere } from "./describe.ts";
import { hoist, type Json } from "./schemas.ts";

/** The answer of the HTTP server itself, which reads no request with a larger head. */
const head_too_large = { 431: { $ref: "#/components/responses/HeadTooLarge" } };
export const shared_responses = {
  HeadTooLarge: { description: "The address and the headers have more than 16 KB. The answer is empty." },
};

/** The answers of these errors and of the errors of every route, by status. */
export function problemAnswers(failures: readonly ErrorDefinition[], components: Json): Json {
  const by_status = Map.groupBy(new Set([...failures, ...failures_anywhere]), statusOf);
  const answers = Array.from(by_status, ([status, errors]) => [
    status,
    {
      description: errors.map(({ code, title }) => `${code}: ${title}.`).join(" "),
      "x-codes": errors.map(({ code }) => code),
      ...(errors.some(({ members }) => members) && {
        "x-members": Object.fromEntries(
          errors.flatMap(({ code, members }) => (members ? [[code, hoist(members, null)]] : [])),
        ),
      }),
      content: { "application/problem+json": { schema: hoist(Problem, components) } },
    },
  ]);
  return { ...Object.fromEntries(answers), ...head_too_large };
}
