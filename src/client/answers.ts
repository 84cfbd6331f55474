/** Checks answers against the schemas of the API, so that the answer of another program does not pass for one of the service. */

import { answer_forms, shapes, type Schemas, type Shape } from "./schema.ts";

/** The answer is not one of this API: a redirect, the page of a proxy, or the answer of another program. */
export class UnexpectedAnswer extends Error {
  override name = "UnexpectedAnswer";
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

export interface AnyResult {
  data?: unknown;
  error?: Schemas["Problem"];
  status: number;
  headers: Headers;
}

/** What was called, as far as the form of its answer depends on it. */
export interface Called {
  /** The method and the path, as in `Operations`. */
  operation: string;
  /** The method and the address, for errors. */
  call: string;
  query: Record<string, unknown>;
  /** The headers that were sent. */
  headers: Headers;
  as: "json" | "text" | "stream" | undefined;
}

/** Reads the answer to a call. Throws an `UnexpectedAnswer` if it is none that the operation has. */
export async function readAnswer(response: Response, called: Called): Promise<AnyResult> {
  const { status, headers } = response;
  const type = /^[^;\s]*/.exec(headers.get("content-type") ?? "")![0].toLowerCase();
  try {
    if (type === "application/problem+json" && status >= 400) {
      const error = expected(await response.text(), "#Problem") as Schemas["Problem"];
      return { error, status, headers };
    }
    return { data: await dataIn(response, type, called), status, headers };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    await response.body?.cancel().catch(() => {});
    const reason = `${called.call}: status ${status} ${error.message}`;
    throw new UnexpectedAnswer(`${reason}. Is a Wharf service there?`, status);
  }
}

/** Why an answer is not one of the operation, as the end of a sentence. */
class Fault extends Error {}

async function dataIn(response: Response, type: string, called: Called): Promise<unknown> {
  const { operation, query, headers, as } = called;
  if (response.status === 304 && headers.has("if-none-match")) return null;
  const form = answer_forms[operation]?.[response.status];
  if (!form) throw new Fault(response.ok ? "is no answer of this call" : "without a problem");
  const { json, instead = {}, media } = form;
  const is_json = json !== undefined && /[/+]json$/.test(type);
  const is_other = media.includes(type) && (as !== undefined || !json || headers.has("accept"));
  if (!is_json && !is_other) {
    if (!json && media.length === 0) return null;
    throw new Fault(
      type === "" ? "without a body of this API" : `with ${type}, which is no answer of this call`,
    );
  }
  if (as === "stream") return response.body;
  const text = await response.text();
  if (as === "text" || !is_json) return text;
  const replaced = Object.keys(instead).find((parameter) => query[parameter] !== undefined);
  return expected(text, replaced === undefined ? json : instead[replaced]!);
}

/** The value of a JSON text. Throws a `Fault` if it does not have this shape. */
function expected(text: string, shape: Shape): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Fault("without JSON");
  }
  const place = misfit(value, shape);
  if (place === null) return value;
  throw new Fault(`with JSON that this call does not return${place && `: see ${place}`}`);
}

/** The JSON Pointer of a member that is missing or of another type; null if `value` has this shape. */
function misfit(value: unknown, shape: Shape, at = ""): string | null {
  if (typeof shape === "string") {
    if (shape.startsWith("#")) return misfit(value, shapes[shape.slice(1)]!, at);
    const type = value === null ? "null" : typeof value;
    return shape === "any" || type === shape ? null : at;
  }
  if (isList(shape)) {
    if (shape.length > 1) return shape.some((one) => misfit(value, one) === null) ? null : at;
    return Array.isArray(value) ? first(value.entries(), () => shape[0]!, at) : at;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return at;
  const { "*": others, ...members } = shape;
  const missing = Object.keys(members).find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return `${at}/${missing}`;
  const shapeOf = (name: string) => (Object.hasOwn(members, name) ? members[name]! : (others ?? "any"));
  return first(Object.entries(value), shapeOf, at);
}

/** The first misfit among the members of a value. */
function first(
  members: Iterable<[string | number, unknown]>,
  shapeOf: (name: string) => Shape,
  at: string,
): string | null {
  for (const [name, value] of members) {
    const found = misfit(value, shapeOf(String(name)), `${at}/${name}`);
    if (found !== null) return found;
  }
  return null;
}

const isList = (shape: Shape): shape is readonly Shape[] => Array.isArray(shape);

/** The data of the events of streams. */
const event_shapes: Record<string, Shape> = {
  post: "#Post",
  redacted: "#Post",
  note: "#Note",
  removed: { slug: "string", removed: { note: "string" } },
  leases: { slug: "string", leases: ["#Lease"] },
  closed: { slug: "string", closed_at: "string" },
};

/** The data of an event; undefined for an event that this client does not know. Throws an `UnexpectedAnswer`. */
export function eventData(event: string, text: string, call: string): unknown {
  if (!Object.hasOwn(event_shapes, event)) return undefined;
  try {
    return expected(text, event_shapes[event]!);
  } catch (error) {
    throw new UnexpectedAnswer(`${call}: event ${event} ${(error as Fault).message}.`, 200);
  }
}
