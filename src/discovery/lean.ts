/** The lean answers of calls as shapes: the OpenAPI document has them without references. */

import type { OpenApi, Operation } from "../web/openapi/document.ts";
import type { Schema } from "../web/openapi/schemas.ts";
import type { Schemas } from "./schemas.ts";

/** A schema of `x-instead`, whose parts may have titles. */
type TitledSchema = Schema & { title?: string };

const schemaOf = ({ responses }: Operation): TitledSchema | undefined =>
  Object.values(responses).flatMap((answer) => answer["x-instead"]?.fields ?? [])[0];

/** The shape of the answer to a call with fields=lean, as a reference; undefined if there is none. */
export function leanOf(operation: Operation): string | undefined {
  const lean = schemaOf(operation);
  return lean?.title && referenceTo(lean.title);
}

const referenceTo = (title: string): string => `#/components/schemas/${title}`;

/** The shapes of the lean answers, by title. They refer to each other. */
export function leanShapes({ paths }: OpenApi): Schemas {
  const shapes: Schemas = {};
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) {
    const lean = schemaOf(operation);
    if (lean) referring(lean, shapes);
  }
  return shapes;
}

/** The schema with a reference in place of each part with a title. These parts are added to `shapes`. */
function referring(schema: TitledSchema, shapes: Schemas): Schema {
  const { title, properties, items, ...others } = schema;
  const whole: Schema = {
    ...others,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, part]) => [name, referring(part, shapes)]),
      ),
    }),
    ...(items && { items: referring(items, shapes) }),
  };
  if (title === undefined) return whole;
  shapes[title] = whole;
  return { $ref: referenceTo(title) };
}
