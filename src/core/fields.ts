/** The kinds of fields in schemas. One schema gives the check, the type, the OpenAPI document and the input of tools. */

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
import { claim_name_pattern, claimNameFault } from "./claim_names.ts";
import {
  codePoints,
  deceptivePlaces,
  isStorable,
  searchTerms,
  speakerNameFault,
  normalForm,
} from "./text.ts";

interface TextRules {
  description: string;
  minLength?: number;
  /** Unicode code points, as JSON Schema counts. */
  maxLength: number;
  examples?: string[];
  /** The pattern for documents, in place of the pattern of the kind (`patternOf`). It is not checked. */
  pattern?: string;
}

interface CountRules {
  description: string;
  minimum: number;
  maximum: number;
  examples?: number[];
}

/** Why a field is not valid. Never repeats its value. */
export interface Fault {
  message: string;
  /** The positions of forbidden characters, in code points from 0. */
  at?: number[];
}

/** Why `value` is not valid by its schema; null if it is. */
type Check = (schema: TextRules & CountRules, value: unknown) => string | Fault | null;

const tag_pattern = "^[a-z0-9-]+$";
const tag_chars = new RegExp(tag_pattern);

const faults: Record<string, Check> = {
  Text(schema, value) {
    if (typeof value !== "string") return "must be a string";
    if (!isStorable(value)) return "must be valid Unicode text without NUL and without lone surrogates";
    // A text has no more code points than UTF-16 units, so most texts need not be counted.
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
    const is_tag = typeof value === "string" && value.length <= schema.maxLength && tag_chars.test(value);
    return is_tag ? null : `must have 1 to ${schema.maxLength} characters: a-z, 0-9 and dashes`;
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
    const name = typeof value === "string" ? normalForm(value, "NFC") : value;
    return faults.Text!(schema, name) ?? claimNameFault(name as string);
  },
  IdempotencyKey(_schema, value) {
    if (typeof value === "string" && isIdempotencyKey(value)) return null;
    return `must be 1 to ${limits.idempotency_key_chars_max} visible ASCII characters, such as a UUID`;
  },
  Count: countFault,
  RepeatedParam: () => null,
  PositionsByName(_schema, value) {
    const is_map = typeof value === "object" && value !== null && !Array.isArray(value);
    const fits = is_map && Object.values(value).every((one) => ["string", "number"].includes(typeof one));
    return fits ? null : 'must be an object of positions, such as {"a-room": 57}';
  },
  NumbersOrWord(schema, value) {
    const [{ properties: numbers }, { enum: words }] = (schema as unknown as NumbersOrWordSchema).anyOf;
    if (typeof value === "string" && words.includes(value)) return null;
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return `must be ${words.join(" or ")}, or an object of ${Object.keys(numbers).join(", ")}`;
    }
    for (const [name, number] of Object.entries(value)) {
      const rules = Object.hasOwn(numbers, name) ? numbers[name] : undefined;
      if (!rules) return `has a member other than ${Object.keys(numbers).join(", ")}`;
      const fault = countFault(rules, number);
      if (fault !== null) return `has a member ${name} that ${fault}`;
    }
    return null;
  },
  NumberOrText: (_schema, value) =>
    typeof value === "string" || Number.isSafeInteger(value) ? null : "must be a number or a string",
  CountParam: (schema, value) =>
    countFault(schema, typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : NaN),
};

/** The characters of an idempotency key. */
export const idempotency_key_pattern = "^[\\x21-\\x7e]+$";
const idempotency_key_chars = new RegExp(idempotency_key_pattern);

/** Whether `key` has only characters that a header may have, and is not too long. */
export const isIdempotencyKey = (key: string): boolean =>
  idempotency_key_chars.test(key) && key.length <= limits.idempotency_key_chars_max;

function countFault({ minimum, maximum }: CountRules, value: unknown): string | null {
  const fits = Number.isInteger(value) && (value as number) >= minimum && (value as number) <= maximum;
  return fits ? null : `must be a whole number from ${minimum} to ${maximum}`;
}

function deceptiveFault(value: unknown): Fault | null {
  const at = typeof value === "string" ? deceptivePlaces(value, limits.field_errors_max) : [];
  return at.length === 0 ? null : { message: `${deceptive_rule}: look at ${at.join(", ")}`, at };
}

const deceptive_rule =
  "may not hold control characters, overrides of direction or tag characters (counted from 0)";

for (const [kind, fault] of Object.entries(faults)) {
  TypeRegistry.Set(kind, (schema: TextRules & CountRules, value) => fault(schema, value) === null);
}

const custom = (kind: string, rules: TextRules): TUnsafe<string> =>
  Type.Unsafe<string>({ [Kind]: kind, type: "string", ...rules });

/** Text of up to `maxLength` code points, stored byte for byte. With `minLength: 1`, not only white space. */
export const Text = (rules: TextRules) => custom("Text", rules);

/** Text for other readers: like `Text`, and without characters that deceive readers or terminals. */
export const SharedText = (rules: TextRules) => custom("SharedText", rules);

/** The name of a speaker. */
export const SpeakerName = (rules: TextRules) => custom("SpeakerName", { minLength: 1, ...rules });

/** A tag: lower-case letters, digits and dashes. */
export const Tag = (rules: TextRules) => custom("Tag", { minLength: 1, ...rules });

/** The words of a search. Their number is limited, too. */
export const SearchText = (rules: TextRules) => custom("SearchText", rules);

/** A name that can be claimed. `maxLength` is counted in normalisation form C. */
export const ClaimName = (rules: TextRules) => custom("ClaimName", { minLength: 1, ...rules });

/** An idempotency key as a field. */
export const IdempotencyKey = (description: string) =>
  Type.Unsafe<string>({ [Kind]: "IdempotencyKey", type: "string", description });

const shared_pattern = "^(?:[^\\x00-\\x08\\x0b\\x0d-\\x1f\\x7f-\\x9f\\u202a-\\u202e]|\\r\\n)*$";
/** What a pattern can say of each kind. It matches all valid values, and some others, for whose rules there is no pattern. */
const patterns: Record<string, string> = {
  Text: "^[^\\x00]*$",
  SearchText: "^[^\\x00]*$",
  SharedText: shared_pattern,
  SpeakerName: shared_pattern,
  Tag: tag_pattern,
  ClaimName: claim_name_pattern,
};

/** A pattern for the values of a field of one of these kinds (ECMA-262), for documents; undefined if there is none. */
export const patternOf = (schema: object): string | undefined =>
  patterns[(schema as { [Kind]?: string })[Kind] ?? ""];

/** Why a field of one of these kinds is not valid; null for other kinds. */
export function customFault(schema: object, value: unknown): Fault | null {
  const kind = (schema as { [Kind]?: string })[Kind] ?? "";
  const fault = faults[kind]?.(schema as TextRules & CountRules, value) ?? null;
  return typeof fault === "string" ? { message: fault } : fault;
}

FormatRegistry.Set("date-time", (text) => parseTime(text) !== null);

/** An ISO 8601 time in UTC with milliseconds. */
export const Time = (description: string) =>
  Type.String({ format: "date-time", description, examples: ["2026-03-01T12:00:00.000Z"] });

/** The time up to which texts were indexed. */
export const IndexedThrough = Type.Optional(Time("Of a search: what was accepted later may be missing."));

/** A whole number in a query string: digits only, within bounds. */
export const CountParam = (rules: CountRules & { default?: number }) =>
  Type.Unsafe<string>({ [Kind]: "CountParam", type: "integer", ...rules });

/** The number in a valid `CountParam`; undefined if absent. */
export const countOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Number(text);

/** The size of a page. */
export const LimitParam = (description: string, maximum: number) =>
  Type.Optional(CountParam({ description, minimum: 1, maximum }));

/** The position of a page. */
export const CursorParam = Type.Optional(Type.String({ description: "The next of the page before." }));

/** The cursor of the page after a page. */
export const NextPage = Type.Union([Type.String(), Type.Null()], {
  description: "The cursor of the next page; null on the last.",
});

/** Whether an answer is lean: without nulls, addresses and what its question already says. */
export const FieldsParam = Type.Optional(
  Type.Literal("lean", { description: "lean: the short form that tools give." }),
);

/** How long an answer may wait, in seconds. */
export const WaitParam = (description: string) =>
  Type.Optional(CountParam({ description, minimum: 0, maximum: limits.long_wait_seconds_max }));

/** A whole number within bounds. */
export const Count = (rules: CountRules) =>
  Type.Unsafe<number>({ [Kind]: "Count", type: "integer", ...rules });

/** How long a tool may wait, in seconds. `mcp/tool.ts` shortens a long wait of a client that is shown no progress. */
export const WaitSeconds = (description = "") =>
  Type.Optional(Count({ description, minimum: 0, maximum: limits.long_wait_seconds_max }));

/** A parameter of a query that may come several times. Read it from the address: a router may join the values. */
export const RepeatedParam = (description: string) =>
  Type.Unsafe<unknown>({ [Kind]: "RepeatedParam", type: "array", items: { type: "string" }, description });

/** An object whose members are positions: numbers or texts. */
export const PositionsByName = ({ description }: { description: string }) =>
  Type.Unsafe<Record<string, number | string>>({ [Kind]: "PositionsByName", type: "object", description });

/** A whole number, or a text that may spell it. */
export const NumberOrText = ({ description }: { description: string }) =>
  // Some clients reject a list of types.
  Type.Unsafe<number | string>({
    [Kind]: "NumberOrText",
    anyOf: [{ type: "integer" }, { type: "string" }],
    description,
  });

interface NumbersOrWordRules {
  description: string;
  examples?: unknown[];
  /** The members of the object, each with its default. */
  numbers: Record<string, CountRules & { default: number }>;
  words: readonly string[];
}

interface NumbersOrWordSchema {
  anyOf: [{ properties: NumbersOrWordRules["numbers"] }, { enum: readonly string[] }];
}

/** An object of whole numbers, each of which may be left out, or one of some words. */
export const NumbersOrWord = <Value>({ numbers, words, ...shown }: NumbersOrWordRules) =>
  Type.Unsafe<Value>({
    [Kind]: "NumbersOrWord",
    anyOf: [
      {
        description: "Members that are left out have their defaults.",
        type: "object",
        properties: Object.fromEntries(
          Object.entries(numbers).map(([name, rules]) => [name, { type: "integer", ...rules }]),
        ),
        additionalProperties: false,
      },
      { type: "string", enum: [...words] },
    ],
    ...shown,
  });

/**
 * The body of a request. Unknown fields are ignored. The schema says so, because Elysia adds the opposite to schemas that do
 * not, and because it also describes tools.
 */
export const Sent = <P extends TProperties>(title: string, fields: P): TObject<P> =>
  Type.Object(fields, { title, additionalProperties: true });

/** The parameters of a query. web/query_fields.ts checks unknown ones. */
export const QueryOf = <P extends TProperties>(fields: P): TObject<P> =>
  Type.Object(fields, { additionalProperties: true });

/** `schema` or null. */
export const Nullable = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S) =>
  Type.Union([schema, Type.Null()]);
