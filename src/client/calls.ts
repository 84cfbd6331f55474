/** The types of calls: from the operations of the API to the parameters and the result of a call. */

import type { Operations, Problems, Schemas } from "./schema.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE";
export type As = "json" | "text" | "stream";

/** The paths that an operation with this method has. */
export type PathOf<M extends Method> = keyof Operations extends infer K
  ? K extends `${M} ${infer P}`
    ? P
    : never
  : never;
export type Operation<M extends Method, P extends string> = Operations[`${M} ${P}` & keyof Operations];
/** What an operation takes. One that takes nothing has an object without members, to which a call can add its own options. */
type RequestOf<O extends Described> = string extends keyof O["request"] ? {} : O["request"];
type QueryOf<O extends Described> = RequestOf<O> extends { query?: infer Query } ? Query : unknown;
/** `Q`, with an error at each parameter that the operation does not have. */
type Exact<Q, Known> = Q & Record<Exclude<keyof Q, keyof Known>, never>;

/** What a call takes beside its path. */
type Options<O extends Described, Q, A> = RequestOf<O> & {
  query?: Exact<Q, QueryOf<O>>;
  headers?: Record<string, string>;
  /** Ends the call, also between two attempts. */
  signal?: AbortSignal;
  /** Leaves the body of the answer as text or as a stream. Otherwise JSON is parsed, and any other body is a string. */
  as?: A;
};
/** The last parameter of a call: it may be left out if the operation needs nothing. */
export type OptionsOf<O extends Described, Q, A> =
  {} extends RequestOf<O> ? [options?: Options<O, Q, A>] : [options: Options<O, Q, A>];

interface Answer<Status, Data> {
  data: Data;
  error?: undefined;
  status: Status;
  headers: Headers;
}
interface Refusal<Problem extends { status: number }> {
  data?: undefined;
  error: Problem;
  status: Problem["status"];
  headers: Headers;
}
interface Described {
  request: object;
  answers: object;
  problems: keyof Problems;
}
/** The answers of an operation by status. Some query parameters give them another form. */
type AnswersOf<O extends Described, Q> = O extends { instead: infer I }
  ? [keyof Q & keyof I] extends [never]
    ? O["answers"]
    : I[keyof Q & keyof I]
  : O["answers"];
type BodyOf<A, Body> = A extends "text" ? string : A extends "stream" ? ReadableStream<Uint8Array> : Body;

/** What a call returns: `data`, or a problem as `error`. `status` and the `code` of an error have the types of the operation. */
export type Result<O extends Described, Q = unknown, A = "json"> =
  | { [S in keyof AnswersOf<O, Q>]: Answer<S, BodyOf<A, AnswersOf<O, Q>[S]>> }[keyof AnswersOf<O, Q>]
  | { [C in O["problems"]]: Refusal<Problems[C]> }[O["problems"]];

export type Send<M extends Method> = <P extends PathOf<M>, const Q = unknown, A extends As = "json">(
  path: P,
  ...options: OptionsOf<Operation<M, P>, Q, A>
) => Promise<Result<Operation<M, P>, Q, A>>;

/** The events of each stream. `id` is where a reader resumes. */
interface Streams {
  "/api/meet/rooms/{room}/stream":
    | { id: string; event: "post" | "redacted"; data: Schemas["Post"] & { treat_as: string } }
    | {
        id: string;
        event: "removed";
        data: { slug: string; removed: NonNullable<Schemas["Room"]["removed"]> };
      }
    | {
        id: string;
        event: "leases";
        data: { slug: string; leases: Schemas["Lease"][]; more_leases?: true; treat_as: string };
      }
    | { id: string; event: "closed"; data: { slug: string; closed: true; closed_at: string } };
  "/api/mailbox/stream": { id: string; event: "note"; data: Schemas["Note"] & { treat_as: string } };
}

export type Follow = <P extends keyof Streams>(
  path: P,
  ...options: OptionsOf<Operation<"GET", P>, QueryOf<Operation<"GET", P>>, never>
) => AsyncGenerator<Streams[P], void, undefined>;
