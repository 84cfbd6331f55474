/** The problems of an operation in the OpenAPI document: for each status a schema with exactly the codes that it can have. */

import { Type, type TObject } from "@sinclair/typebox";
import type { ErrorDefinition } from "../../core/error_definition.ts";
import { Problem, statusOf } from "../problems.ts";
import { failures_anywhere } from "./describe.ts";
import { hoist, type Json } from "./schemas.ts";

/** The answer of the HTTP server itself, which reads no request with a larger head. */
const head_too_large = { 431: { $ref: "#/components/responses/HeadTooLarge" } };
export const shared_responses = {
  HeadTooLarge: { description: "The address and the headers have more than 16 KB. The answer is empty." },
};

/** The answers of these errors and of those of every route, by status. Adds their schemas to `components`. */
export function problemAnswers(failures: readonly ErrorDefinition[], components: Json): Json {
  const by_status = Map.groupBy(new Set([...failures, ...failures_anywhere]), statusOf);
  const answers = Array.from(by_status, ([status, errors]) => [
    status,
    {
      description: errors.map(({ code, title }) => `${code}: ${title}.`).join(" "),
      "x-codes": errors.map(({ code }) => code),
      content: { "application/problem+json": { schema: hoist(problemOf(status, errors), components) } },
    },
  ]);
  return { ...Object.fromEntries(answers), ...head_too_large };
}

/** The schema of a problem with one of these codes. */
function problemOf(status: number, errors: ErrorDefinition[]): TObject {
  const codes = errors.map(({ code }) => code).toSorted();
  const { hint } = Problem.properties;
  return Type.Object(
    {
      ...Problem.properties,
      code: Type.Union(
        codes.map((code) => Type.Literal(code)),
        { description: Problem.properties.code.description },
      ),
      hint: status < 500 ? Type.String({ description: hint.description }) : hint,
    },
    { title: titleOf(errors), description: Problem.description, additionalProperties: true },
  );
}

/** `NotYourJobProblem`: named after the codes that not every route has, if there are such. A status has no two sets with the same. */
function titleOf(errors: ErrorDefinition[]): string {
  const own = errors.filter((error) => !(failures_anywhere as ErrorDefinition[]).includes(error));
  const codes = (own.length > 0 ? own : errors).map(({ code }) => code).toSorted();
  return `${codes.map(pascalCase).join("Or")}Problem`;
}

const pascalCase = (text: string): string =>
  text.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
