/** A plain call is declared once: its route with its entry in the OpenAPI document, its tool and its form are made of that. */

import type { Static, TObject } from "@sinclair/typebox";
import type { Caller } from "../core/caller.ts";
import type { Call } from "../core/hints.ts";
import type { IdempotentCall } from "../core/storage.ts";
import { bodyOf } from "../web/body.ts";
import type { Http } from "../web/context.ts";
import type { RequestContext } from "../web/request_context.ts";
import { doc, idempotency_key, type RouteDoc } from "../web/openapi/describe.ts";
import { sendJson } from "../web/responses.ts";
import { memberOutput } from "./text.ts";
import { defineTool, type Tool, type ToolSpec } from "./tool.ts";

/** Returns the value that identifies a call that is sent again, as for `IdempotencyKeys.run`. */
type Identify = (caller: Caller, body: unknown) => unknown;

/** Who makes a call. `call`: the call if the caller may send it again, see `IdempotencyKeys.run`. */
interface Sender {
  caller: Caller;
  /** The base URL of links. */
  base: string;
  call?: IdempotentCall | undefined;
}

export interface PlainCall<
  Params extends TObject = TObject,
  Body extends TObject = TObject,
  Result = unknown,
  Input extends TObject = TObject,
  Output extends TObject = TObject,
> {
  /** Its address, its tool and its command. */
  at: Call;
  by: ToolSpec<Input, Output>["by"];
  /** The parameters in its address. */
  params?: Params;
  body?: Body;
  /** Makes the call. Throws ServiceError. */
  run(sent: Static<Params> & Static<Body>, sender: Sender): Promise<Result>;
  http: Omit<RouteDoc, "headers" | "answers"> & {
    /** The need of its route (access.ts), if it does not follow from `by`. */
    needs?: "public" | "former_key";
    /** Reads the body. Default: as JSON without keys. */
    reads?(request: Request): Promise<unknown>;
    /** Default: the name of the caller and the body. */
    identify?: Identify;
    /** The status and the schema of its answer, and the function that makes the answer of a result. */
    status: 200 | 201;
    answers: { description: string; schema: TObject };
    answer(result: Result, base: string): object;
    /** The address of the new resource. */
    location?(result: Result, base: string): string;
  };
  /** Absent if the call has no tool. */
  tool?: Omit<ToolSpec<Input, Output>, "name" | "by" | "run"> & {
    /** The parameters and the body that follow from the arguments. Default: the arguments. */
    sent?(args: Static<Input>): Static<Params> & Static<Body>;
    result(result: Result, at: { args: Static<Input>; base: string }): Static<Output>;
    /** The result as text. Default: its members as lines. */
    text?(result: Static<Output>): string;
  };
}

/** The call as declared. */
export const plainCall = <
  Result,
  Input extends TObject,
  Output extends TObject,
  Params extends TObject = TObject<{}>,
  Body extends TObject = TObject<{}>,
>(
  call: PlainCall<Params, Body, Result, Input, Output>,
): PlainCall => call;

const byNameAndBody: Identify = (caller, body) => [caller.identity?.canonical, body ?? null];

const need_by = { anybody: "reader", "a name": "reader", "a claimed name": "named" } as const;

type Context = RequestContext & { params: object; body: unknown };

/** Mounts the routes of calls. The same call with the same Idempotency-Key is made once. */
export function callRoutes(calls: readonly PlainCall[], { access, idempotency }: Http) {
  for (const { at, by, params: params_schema, body: body_schema, run, http } of calls) {
    const [method, address] = at.names.http!.split(" ") as ["POST", string];
    const { status, answers, answer, location, needs, reads, identify = byNameAndBody, ...described } = http;
    async function handle({ request, caller, base, params, body }: Context): Promise<Response> {
      const result = await idempotency.run(request, caller, identify(caller, body), (call) =>
        run({ ...(body as object | undefined), ...params }, { caller, base, call }),
      );
      const headers = location && { location: location(result, base) };
      return sendJson(answer(result, base), status, caller, headers);
    }
    access.route(method, address.replace(/\{(\w+)\}/g, ":$1"), handle, {
      needs: needs === "former_key" ? { former_key: identify } : (needs ?? need_by[by]),
      ...(params_schema && { params: params_schema }),
      ...(body_schema ? bodyOf(body_schema, reads) : { parse: "none" }),
      ...doc({ ...described, answers: { [status]: answers }, headers: [idempotency_key] }),
    });
  }
}

/** The tools of calls. */
export const callTools = (calls: readonly PlainCall[]): Tool[] =>
  calls.flatMap(({ at, by, run, tool }) => {
    if (!tool) return [];
    const { sent, result: resultOf, text, ...definition } = tool;
    return defineTool({
      ...definition,
      name: at.names.tool!,
      by,
      async run(args, { caller, base, call }) {
        const result = resultOf(await run(sent ? sent(args) : args, { caller, base, call }), { args, base });
        return text ? { structured: result, text: text(result) } : memberOutput(result);
      },
    });
  });
