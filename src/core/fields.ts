/** The kinds of fields that schemas are made of. One schema drives checking, types, OpenAPI and tool inputs. */

import {
  FormatRegistry,
  Kind,
  Type,
  TypeRegistry,
  type TObject,
  type TProperties,
  type TUnsafe,
} from "@sinclair/typebox";
import { parseTime } from "./clock.ts";
import { limits } from "./limits.ts";
import {
  claimNameFault,
  codePoints,
  deceptivePlaces,
  isStorable,
  searchTerms,
  speakerNameFault,
} from "./text.ts";

interface TextRules {
  description: string;
  minLength?: number;
  /** Unicode code points, as JSON Schema counts. */
  maxLength: number;
  examples?: string[];
}

/** What is wrong with a field, in words that never repeat its value. */
export interface Fault {
  message: string;
  /** The places of characters that may not be in a text, counted in code points from 0. */
  at?: number[];
}

/** What is wrong with `value` by the rules of its schema, or null. */
type Check = (schema: TextRules, value: unknown) => string | Fault | null;

const faults: Record<string, Check> = {
  Text(schema, value) {
    if (typeof value !== "string") return "must be a string";
    if (!isStorable(value)) return "must be valid Unicode text without NUL and without lone surrogates";
    // There are never more code points than UTF-16 units, so most texts need not be counted.
    if (value.length > schema.maxLength && codePoints(value) > schema.maxLength) {
      return `is ${codePoints(value)} characters long; at most ${schema.maxLength} fit`;
    }
    if (schema.minLength && value.trim() === "") return "must not be empty";
    return null;
  },
  SharedText(schema, value) {
    return deceptiveFault(value) ?? faults.Text!(schema, value);
  },
  SpeakerName(schema, value) {
    return faults.SharedText!(schema, value) ?? speakerNameFault(value as string);
  },
  Tag(schema, value) {
    const is_tag =
      typeof value === "string" && value.length <= schema.maxLength && /^[a-z0-9-]+$/.test(value);
    return is_tag ? null : `must be 1 to ${schema.maxLength} of a-z, 0-9 and dashes`;
  },
  SearchText(schema, value) {
    const fault = faults.Text!(schema, value);
    if (fault) return fault;
    const { length } = searchTerms(value as string);
    return length > limits.search_terms_max
      ? `has ${length} words; at most ${limits.search_terms_max} are searched for`
      : null;
  },
  ClaimName(schema, value) {
    return faults.Text!(schema, value) ?? claimNameFault(value as string);
  },
};

function deceptiveFault(value: unknown): Fault | null {
  const at = typeof value === "string" ? deceptivePlaces(value, limits.field_errors_max) : [];
  return at.length === 0 ? null : { message: `${deceptive_rule}: look at ${at.join(", ")}`, at };
}

const deceptive_rule =
  "may not hold control characters, overrides of direction or tag characters (counted from 0)";

for (const [kind, fault] of Object.entries(faults)) {
  TypeRegistry.Set(kind, (schema: TextRules, value) => fault(schema, value) === null);
}

const custom = (kind: string, rules: TextRules): TUnsafe<string> =>
  Type.Unsafe<string>({ [Kind]: kind, type: "string", ...rules });

/** Text of up to `maxLength` code points, kept byte for byte. With `minLength: 1`, more than white space. */
export const Text = (rules: TextRules) => custom("Text", rules);

/** Text that others will read, with the rules of `Text` and without characters that deceive readers or terminals. */
export const SharedText = (rules: TextRules) => custom("SharedText", rules);

/** The name that somebody speaks under. */
export const SpeakerName = (rules: TextRules) => custom("SpeakerName", { minLength: 1, ...rules });

/** A tag: lower-case letters, digits and dashes. */
export const Tag = (rules: TextRules) => custom("Tag", { minLength: 1, ...rules });

/** The words of a search, of which not all texts of `maxLength` are taken: there is a limit on their number. */
export const SearchText = (rules: TextRules) => custom("SearchText", rules);

/** A name that can be claimed. */
export const ClaimName = (rules: TextRules) => custom("ClaimName", { minLength: 1, ...rules });

/** The fault of a field of one of the kinds above; null for other kinds. */
export function customFault(schema: object, value: unknown): Fault | null {
  const kind = (schema as { [Kind]?: string })[Kind] ?? "";
  const fault = faults[kind]?.(schema as TextRules, value) ?? null;
  return typeof fault === "string" ? { message: fault } : fault;
}

FormatRegistry.Set("date-time", (text) => parseTime(text) !== null);

/** An ISO 8601 time in UTC with milliseconds. */
export const Time = (description: string) =>
  Type.String({ format: "date-time", description, examples: ["2026-03-01T12:00:00.000Z"] });

/** How far the index of a search had come. */
export const IndexedThrough = Type.Optional(
  Time("Of a search: what was accepted before this has been searched; later texts may be missing."),
);

/** A whole number in a query string: digits only, within bounds. */
export const CountParam = (rules: {
  description: string;
  minimum: number;
  maximum: number;
  default?: number;
}) => Type.Unsafe<string>({ [Kind]: "CountParam", type: "integer", ...rules });

/** A whole number within bounds. */
export const Count = (rules: { description: string; minimum: number; maximum: number }) =>
  Type.Unsafe<number>({ [Kind]: "Count", type: "integer", ...rules });

/**
 * What a request carries. Fields that nobody asked for are ignored, which must be said: Elysia writes the opposite into
 * schemas that leave it open, and those schemas also describe tools.
 */
export const Sent = <P extends TProperties>(title: string, fields: P): TObject<P> =>
  Type.Object(fields, { title, additionalProperties: true });

/** The parameters of a query; unknown ones are looked at by web/query_fields.ts. */
export const QueryOf = <P extends TProperties>(fields: P): TObject<P> =>
  Type.Object(fields, { additionalProperties: true });

/** `null` or what `schema` says. */
export const Nullable = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S) =>
  Type.Union([schema, Type.Null()]);

faults.CountParam = (schema, value) => {
  const { minimum, maximum } = schema as unknown as { minimum: number; maximum: number };
  const count = typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : NaN;
  return count >= minimum && count <= maximum ? null : `must be a whole number from ${minimum} to ${maximum}`;
};
TypeRegistry.Set("CountParam", (schema: TextRules, value) => faults.CountParam!(schema, value) === null);

faults.Count = (schema, value) => {
  const { minimum, maximum } = schema as unknown as { minimum: number; maximum: number };
  const fits = Number.isInteger(value) && (value as number) >= minimum && (value as number) <= maximum;
  return fits ? null : `must be a whole number from ${minimum} to ${maximum}`;
};
TypeRegistry.Set("Count", (schema: TextRules, value) => faults.Count!(schema, value) === null);
